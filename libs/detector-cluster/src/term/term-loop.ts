import { systemClock, type Clock } from '@detector-cluster/election';
import { FencedError } from '@detector-cluster/election/fence';
import { Repeater } from '@detector-cluster/election/internal';
import type { WorkerObservation } from '@detector-cluster/placement/internal';
import type { Reconciler } from './reconciler.js';
import type { ClusterLogger } from '../operators/worker-logger.js';

/** Delay so that one pass sees all changes that arrive together. Milliseconds. */
const GATHER = 10;

/** How soon a master whose lease is not valid looks again whether it is. Milliseconds. */
const UNTIL_VALID = 100;

/** How soon a pass that failed is repeated. Milliseconds. */
const AFTER_FAILURE = 250;

export interface TermLoopOptions {
  readonly reconciler: Pick<Reconciler, 'pass'>;
  /** Whether commands may be sent and decisions written at this instant. */
  readonly mayAct: () => boolean;
  /** Called with what a pass has observed, once all its commands are sent. */
  readonly afterSend: (workers: readonly WorkerObservation[]) => void;
  readonly logger: Pick<ClusterLogger, 'warn'>;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/**
 * The loop of one term of a master: decide, record, send. One pass at a time, each soon after a change, or when the last pass wanted it.
 */
export class TermLoop {
  private readonly clock: Clock;
  private readonly ended = new AbortController();
  private readonly passes: Repeater;

  constructor(private readonly options: TermLoopOptions) {
    this.clock = options.clock ?? systemClock;
    this.passes = new Repeater({
      clock: this.clock,
      signal: this.ended.signal,
      held: true,
      run: () => this.pass(),
      onError: (error) => {
        // Another master leads.
        if (error instanceof FencedError) return;
        options.logger.warn(`reconciliation is put off: ${error.message}`);
        this.passes.poke(AFTER_FAILURE);
      },
    });
  }

  /** Begins. The first pass sees all changes before. */
  start(): void {
    this.passes.start();
  }

  /**
   * Something that a pass would see has changed.
   * @param isGathered these are all changes of a while, so the pass does not wait for more
   */
  changed(isGathered = false): void {
    this.passes.poke(isGathered ? 0 : GATHER);
  }

  /** Begins no further pass. Idempotent. */
  stop(): void {
    this.ended.abort();
  }

  private async pass(): Promise<void> {
    const { afterSend, mayAct, reconciler } = this.options;
    if (!mayAct()) return this.passes.poke(UNTIL_VALID);
    const began = this.clock.now();
    const next = await reconciler.pass(afterSend);
    const now = this.clock.now();
    // Passes that follow each other leave the process time for all else.
    this.passes.rest(Math.min(now - began, GATHER));
    if (next !== null) this.passes.poke(Math.max(next - now, GATHER));
  }
}
