import { randomUUID } from 'node:crypto';
import { type Clock, Elector, type Lease, systemClock } from '@detector-cluster/election';
import { MAX_LEASE, MAX_TIMER, pause, withTimeout } from '@detector-cluster/election/internal';
import { CampaignMemory, LeaseBackend } from '@detector-cluster/election/lease';
import { COMMAND_TIMEOUT } from '@detector-cluster/election/redis';
import { ElectionStoppedError } from '../shared/errors.js';
import type { OnceStore } from './once-store.js';

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
  readonly store: Pick<OnceStore, 'acquire' | 'renew' | 'release' | 'complete' | 'done'>;
  readonly timeout: number;
  readonly leaseTtl: number;
  /** Candidate id of the caller, for the record. */
  readonly caller: string;
  readonly onError: (error: Error) => void;
  readonly clock?: Clock;
}

/** Pause before recording a completion is retried. Milliseconds. */
const RETRY_PAUSE = 250;

/** How often a waiting process looks whether it can claim the work. Milliseconds. */
const LOOK_INTERVAL = 250;

type Outcome = 'done' | 'completed' | 'again';

/** One call of `runOnce`: waits until the work is done, or does it. */
export class OnceCall {
  private readonly clock: Clock;
  private readonly stopping = new AbortController();
  private readonly memory: CampaignMemory;

  constructor(private readonly options: OnceCallOptions) {
    this.clock = options.clock ?? systemClock;
    this.memory = new CampaignMemory(`${options.caller}:${randomUUID()}`);
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
    const { key, store, caller, timeout, onError } = this.options;
    const { signal } = this.stopping;
    const backend = this.backend();
    const elector = new Elector({ backend, candidate: { id: caller }, clock: this.clock });
    elector.on('error', onError);
    let stop!: () => void;
    // The handover waits for work whose signal aborted, but not forever.
    const stopped = new Promise<never>((_resolve, reject) => {
      stop = () => void elector.stop().then(() => reject(signal.reason as Error));
    });
    stopped.catch(() => undefined);
    const claimed = new Promise<Lease | 'lost'>((resolve) => {
      elector.on('acquired', () => elector.lease && resolve(elector.lease));
      elector.on('lost', () => {
        // The work may still be running, and must not keep other processes from the work.
        void elector.stop();
        resolve('lost');
      });
    });
    signal.addEventListener('abort', stop);
    try {
      elector.start();
      const claim = await withTimeout(
        Promise.race([store.done, claimed, stopped]),
        Math.max(0, deadline - this.clock.now()),
        this.clock,
        () => new OnceTimeoutError(key, timeout),
      );
      if (claim === 'done') return 'done';
      return claim === 'lost' ? 'again' : await Promise.race([this.work(claim), stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
      await elector.stop();
      await backend.close();
    }
  }

  private backend(): LeaseBackend {
    const { store, leaseTtl } = this.options;
    return new LeaseBackend({
      name: 'once',
      store,
      memory: this.memory,
      timing: { lockTtl: leaseTtl, heartbeatInterval: leaseTtl / 3, checkInterval: LOOK_INTERVAL },
      // A call of the store waits for the connection, and then for the answer.
      callTimeout: 2 * COMMAND_TIMEOUT + 100,
      clock: this.clock,
      random: Math.random,
    });
  }

  private async work(lease: Lease): Promise<Outcome> {
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
    return !signal.aborted && (await this.complete(lease)) ? 'completed' : 'again';
  }

  private async complete({ term, signal }: Lease): Promise<boolean> {
    const { store, onError } = this.options;
    while (!signal.aborted)
      try {
        return await store.complete(term);
      } catch (error) {
        onError(error as Error);
        await pause(RETRY_PAUSE, this.clock, signal);
      }
    return false;
  }
}
