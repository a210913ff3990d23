import type { LoggerService } from '@nestjs/common';
import { LeaderWorkError } from './leader-work.errors.js';

/** A failure that persists is logged again at this interval. Milliseconds. */
const REPEAT_INTERVAL = 60_000;

/** Number of distinct kinds that are kept. Messages may contain variable text, which would let the set grow without limit. */
const MAX_KINDS = 1_000;

/** Logs failures of decorated methods with their stacks: each kind once, then at most once per interval. */
export class FailureLog {
  private readonly logged = new Map<string, number>();

  constructor(
    private readonly logger: Pick<LoggerService, 'error'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  failed({ message, cause }: LeaderWorkError): void {
    const last = this.logged.get(message);
    if (last !== undefined && this.now() - last < REPEAT_INTERVAL) return;
    if (this.logged.size >= MAX_KINDS) this.logged.clear();
    this.logged.set(message, this.now());
    this.logger.error(message, cause instanceof Error ? cause.stack : undefined);
  }
}
