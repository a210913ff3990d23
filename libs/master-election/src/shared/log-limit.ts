import { type Clock, systemClock } from '@detector-cluster/election';

/** Number of kinds that are kept. A kind may contain variable text, which would let the list grow without limit. */
const MAX_KINDS = 1_000;

/** Lets one log line of each kind pass, then at most one per interval. */
export class LogLimit {
  /** When the last line of each kind passed. */
  private readonly passed = new Map<string, number>();

  /** @param interval Milliseconds. */
  constructor(
    private readonly interval: number,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  passes(kind: string): boolean {
    const now = this.clock.now();
    const last = this.passed.get(kind);
    if (last !== undefined && now - last < this.interval) return false;
    if (this.passed.size >= MAX_KINDS) this.passed.clear();
    this.passed.set(kind, now);
    return true;
  }

  /** Forgets all lines. Returns whether there were any. */
  clear(): boolean {
    const any = this.passed.size > 0;
    this.passed.clear();
    return any;
  }
}
