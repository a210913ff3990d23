import { randomUUID } from 'node:crypto';
import { type Clock, Elector, type Lease, systemClock } from '@detector-cluster/election';
import { MAX_LEASE, MAX_TIMER, pause } from '@detector-cluster/election/internal';
import { ElectionStoppedError } from '../shared/errors.js';
import { OnceBackend } from './once-backend.js';
import { OnceStore } from './once-store.js';

/** Options of `MasterElection.runOnce`. All durations in milliseconds. */
export interface RunOnceOptions {
  /** How long to wait for another process that runs the work. A run in this process is not limited. Default 300,000. */
  readonly timeout?: number;
  /** How long a claim lasts after its process dies. Must be the same in all processes. At least 1,000, default 10,000. */
  readonly leaseTtl?: number;
}

const MIN_LEASE = 1_000;

/** @throws RangeError that names the option. */
export function resolveRunOnceOptions({
  timeout = 300_000,
  leaseTtl = 10_000,
}: RunOnceOptions): Required<RunOnceOptions> {
  if (!(Number.isFinite(timeout) && timeout > 0 && timeout <= MAX_TIMER))
    throw new RangeError(`timeout must be a positive number of milliseconds up to ${MAX_TIMER}`);
  if (!(Number.isSafeInteger(leaseTtl) && leaseTtl >= MIN_LEASE && leaseTtl <= MAX_LEASE))
    throw new RangeError(`leaseTtl must be a whole number of milliseconds from ${MIN_LEASE} to ${MAX_LEASE}`);
  return { timeout, leaseTtl };
}

/** No other process completed the work of a `runOnce` within the timeout of the caller. */
export class OnceTimeoutError extends Error {
  override readonly name = 'OnceTimeoutError';
  readonly code = 'ONCE_TIMEOUT';

  constructor(
    readonly key: string,
    readonly timeoutMs: number,
  ) {
    super(`'${key}' was not completed within ${timeoutMs} ms`);
  }
}

interface OnceCallOptions {
  readonly key: string;
  readonly work: (lease: Lease) => unknown;
  readonly store: OnceStore;
  readonly timeout: number;
  readonly leaseTtl: number;
  /** Candidate id of the caller, for the record. */
  readonly caller: string;
  readonly onError: (error: Error) => void;
  readonly clock?: Clock;
}

/** Pause before recording a completion is retried. Milliseconds. */
const RETRY_PAUSE = 250;

type Outcome = 'done' | 'completed' | 'again';

/** One call of `runOnce`: waits until the work is done, or does it. */
export class OnceCall {
  private readonly clock: Clock;
  private readonly stopping = new AbortController();

  constructor(private readonly options: OnceCallOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /**
   * Resolves when the work is done: true if this call did it.
   * @throws OnceTimeoutError, ElectionStoppedError, or what the work threw.
   */
  async run(): Promise<boolean> {
    const deadline = this.clock.now() + this.options.timeout;
    for (;;) {
      const outcome = await this.attempt(deadline);
      if (outcome !== 'again') return outcome === 'completed';
    }
  }

  /** Stops waiting, or aborts the lease of the work. {@link run} rejects once the lease is released. */
  stop(): void {
    this.stopping.abort(new ElectionStoppedError());
  }

  private async attempt(deadline: number): Promise<Outcome> {
    this.stopping.signal.throwIfAborted();
    const { store, leaseTtl, caller, onError } = this.options;
    const owner = `${caller}:${randomUUID()}`;
    const backend = new OnceBackend({ store, leaseTtl, owner, clock: this.clock });
    const elector = new Elector({ backend, candidate: { id: owner }, clock: this.clock });
    elector.on('error', onError);
    const { signal } = this.stopping;
    let stop!: () => void;
    // The handover waits for work whose signal aborted, but not forever.
    const stopped = new Promise<never>((_resolve, reject) => {
      stop = () => void elector.stop().then(() => reject(signal.reason as Error));
    });
    stopped.catch(() => undefined);
    // If a claim is granted so late that it expires before the answer arrives, it ends without a lease.
    const claimed = new Promise<Lease | 'done' | 'lost'>((resolve) => {
      void backend.over.then(resolve);
      elector.on('acquired', () => elector.lease && resolve(elector.lease));
    });
    signal.addEventListener('abort', stop);
    try {
      elector.start();
      const claim = await this.within(deadline, claimed);
      if (claim === 'done') return 'done';
      return claim === 'lost' ? 'again' : await Promise.race([this.work(claim, owner), stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
      await elector.stop();
      await backend.close();
    }
  }

  /** Resolves with the value; rejects if the deadline passes or the call is stopped first. */
  private within<Value>(deadline: number, value: Promise<Value>): Promise<Value> {
    const { key, timeout } = this.options;
    const { signal } = this.stopping;
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        this.clock.clearTimeout(timer);
        signal.removeEventListener('abort', stopped);
        settled();
      };
      const stopped = () => settle(() => reject(signal.reason as Error));
      const timer = this.clock.setTimeout(
        () => settle(() => reject(new OnceTimeoutError(key, timeout))),
        Math.max(0, deadline - this.clock.now()),
      );
      signal.addEventListener('abort', stopped);
      void value.then((result) => settle(() => resolve(result)));
    });
  }

  private async work(lease: Lease, owner: string): Promise<Outcome> {
    const { work, onError } = this.options;
    const { signal } = lease;
    const running = (async () => work(lease))();
    lease.waitUntil(running.catch(() => undefined));
    try {
      await running;
    } catch (error) {
      if (!signal.aborted) throw error;
      if (error !== signal.reason) onError(error as Error);
    }
    // Work that ends after its lease may have stopped early because the signal aborted.
    return !signal.aborted && (await this.complete(lease, owner)) ? 'completed' : 'again';
  }

  private async complete({ term, signal }: Lease, owner: string): Promise<boolean> {
    const { store, onError } = this.options;
    while (!signal.aborted)
      try {
        return await store.complete(owner, term);
      } catch (error) {
        onError(error as Error);
        await pause(RETRY_PAUSE, this.clock, signal);
      }
    return false;
  }
}
