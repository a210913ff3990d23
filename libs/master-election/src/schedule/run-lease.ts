import type { Clock, Lease } from '@detector-cluster/election';

interface RunLeaseOptions {
  readonly lease: Lease;
  /** Ends the run after this time. Milliseconds. */
  readonly timeout: number | undefined;
  /** Creates the abort reason for a run that timed out. */
  readonly timedOut: () => Error;
  readonly clock: Clock;
}

/** The lease of one run of a job. Ends with the term of the master or with the timeout of the run, whichever is first. */
export class RunLease implements Lease {
  readonly term: number;
  private readonly controller = new AbortController();
  private readonly lease: Lease;
  /** Must be called when the run has ended. */
  readonly end: () => void;

  constructor({ lease, timeout, timedOut, clock }: RunLeaseOptions) {
    this.lease = lease;
    this.term = lease.term;
    const { signal } = lease;
    const lost = () => this.controller.abort(signal.reason);
    const timer =
      timeout === undefined ? undefined : clock.setTimeout(() => this.controller.abort(timedOut()), timeout);
    // A term outlives many runs, so each run must remove its listener.
    this.end = () => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', lost);
    };
    signal.addEventListener('abort', lost);
    if (signal.aborted) lost();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get exclusiveUntil(): number {
    return this.lease.exclusiveUntil;
  }

  isValid(): boolean {
    return !this.signal.aborted && this.lease.isValid();
  }

  async ready(): Promise<void> {
    this.signal.throwIfAborted();
    await this.lease.ready();
    this.signal.throwIfAborted();
  }

  waitUntil(work: Promise<unknown>): void {
    this.lease.waitUntil(work);
  }
}
