import { systemClock, type Clock, type TimerHandle } from '@detector-cluster/election';
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

/** A master that cannot decide for so long says why. Milliseconds. */
const OVERDUE = 30_000;

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
  private hindrance = '';
  /** Set from the first hindrance until a pass has succeeded. */
  private overdue: TimerHandle;

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
        this.hinderedBy(error.message);
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
    this.clock.clearTimeout(this.overdue);
  }

  private async pass(): Promise<void> {
    const { afterSend, mayAct, reconciler } = this.options;
    if (!mayAct()) {
      this.hinderedBy('its lease is not valid');
      return this.passes.poke(UNTIL_VALID);
    }
    this.hinderedBy('a pass has not ended');
    const began = this.clock.now();
    const next = await reconciler.pass(afterSend);
    this.clock.clearTimeout(this.overdue);
    this.overdue = undefined;
    const now = this.clock.now();
    // Passes that follow each other leave the process time for all else.
    this.passes.rest(Math.min(now - began, GATHER));
    if (next !== null) this.passes.poke(Math.max(next - now, GATHER));
  }

  /** Notes why nothing is decided now. If no pass has succeeded 30 s later, the log says so once. */
  private hinderedBy(reason: string): void {
    this.hindrance = reason;
    this.overdue ??= this.clock.setTimeout(
      () => this.options.logger.warn(`this master has decided nothing for 30 s: ${this.hindrance}`),
      OVERDUE,
    );
  }
}
