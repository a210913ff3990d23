import type { LossReason } from '../contract/election-backend.js';
import type { Lease } from '../contract/lease.js';
import type { Clock } from '../util/clock.js';
import { toError } from '../util/to-error.js';
import { isInterruption } from './term-cleanup.js';
import type { ElectorHandlers } from './elector-handlers.js';
import { EndRun } from './end-run.js';

interface HandlerLoopOptions {
  readonly handlers: ElectorHandlers;
  readonly clock: Clock;
  /** Receives errors that are only reported and change no state. */
  readonly report: (error: Error) => void;
  /** The begin handler failed while its lease lasted. */
  readonly beginFailed: (error: Error) => void;
}

/** Runs the handlers in their order. The elector sees to it that no term begins before the last one is wound up. */
export class HandlerLoop {
  /** Settles with the begin handler; `undefined` when there is nothing to end. */
  private begun: Promise<void> | undefined;

  constructor(private readonly options: HandlerLoopOptions) {}

  begin(lease: Lease): void {
    const { handlers, report, beginFailed } = this.options;
    if (!handlers.begin && !handlers.end) return;
    const run = async () => handlers.begin?.(lease);
    this.begun = run().then(
      () => undefined,
      (error: unknown) => {
        if (lease.signal.aborted) {
          if (!isInterruption(error, lease.signal)) report(toError(error));
          return;
        }
        this.begun = undefined;
        beginFailed(toError(error));
      },
    );
  }

  /** The term is over. Returns `undefined` when none of the handlers had to do with it. */
  end(leadership: { readonly term: number; readonly reason: LossReason }): EndRun | undefined {
    const { begun } = this;
    const { handlers, clock, report } = this.options;
    if (!begun) return undefined;
    this.begun = undefined;
    return new EndRun(begun, () => handlers.end?.(leadership), leadership.term, clock, report);
  }

  async error(error: Error): Promise<void> {
    const { handlers, report } = this.options;
    try {
      await handlers.error?.(error);
    } catch (failure) {
      report(toError(failure));
    }
  }
}
