import { LeadershipLostError, type Lease } from '@detector-cluster/election';

/** A lease that a test can suspend and end. */
export class TestLease implements Lease {
  private readonly controller = new AbortController();
  private valid = true;
  private wake: () => void = () => undefined;
  /** Work that a hand-over would wait for. */
  readonly work: Promise<unknown>[] = [];

  constructor(readonly term: number) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get exclusiveUntil(): number {
    return Infinity;
  }

  isValid(): boolean {
    return this.valid && !this.signal.aborted;
  }

  async ready(): Promise<void> {
    while (!this.isValid()) {
      this.signal.throwIfAborted();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  waitUntil(work: Promise<unknown>): void {
    this.work.push(work);
  }

  suspend(): void {
    this.valid = false;
  }

  resume(): void {
    this.valid = true;
    this.wake();
  }

  lose(): void {
    this.controller.abort(new LeadershipLostError(this.term, 'refused'));
    this.wake();
  }
}
