import type { LossReason } from '../contract/election-backend.js';
import { ElectorGaveUpError, HandoverTimeoutError, LeadershipLostError } from '../contract/errors.js';
import type { Clock } from '../util/clock.js';
import { pause } from '../util/pause.js';
import { toError } from '../util/to-error.js';
import type { ElectorLease } from './elector-lease.js';
import type { HandlerLoop } from './handler-loop.js';
import type { EndRun } from './end-run.js';

interface TermCleanupOptions {
  readonly handlers: HandlerLoop;
  readonly handoverTimeout: number;
  readonly errorTimeout: number;
  readonly clock: Clock;
  /** Ends the campaign: this candidate wins no term, and keeps no other from leading, until the cleanup is over. */
  readonly leave: () => void;
  readonly report: (error: Error) => void;
  readonly gaveUp: (error: ElectorGaveUpError) => void;
}

/** Finishes the last term, or recovers from an error, before this candidate may lead again. */
export class TermCleanup {
  private ended: Promise<void> | undefined;
  private handover: Promise<void> | undefined;
  private timer = new AbortController();
  private fatal: ElectorGaveUpError | undefined;

  constructor(private readonly options: TermCleanupOptions) {}

  /** Whether something is still to be done. */
  get pending(): boolean {
    return this.ended !== undefined;
  }

  /** Settles when the store has recorded the end of the last term; `undefined` afterwards. Never rejects. */
  get recorded(): Promise<void> | undefined {
    return this.handover;
  }

  /** Set when nothing will ever be won again. */
  get error(): ElectorGaveUpError | undefined {
    return this.fatal;
  }

  /**
   * The term was lost.
   * @param release Tells the store, once work under the lease is over; without it the store knows.
   */
  begin(lease: ElectorLease, reason: LossReason, release: (() => void | Promise<void>) | undefined): void {
    const ending = this.options.handlers.end({ term: lease.term, reason });
    if (ending) lease.work.add(ending.firstAttempt);
    if (lease.work.pending === 0 && !release) return;
    if (!release) this.options.leave();
    const handover = this.handOver(lease, release).finally(() => {
      if (this.handover === handover) this.handover = undefined;
    });
    this.handover = handover;
    this.add(this.end(handover, ending));
  }

  /** Something failed: after the term comes the error state. */
  fail(error: Error): void {
    this.add(this.recover(error, this.ended));
  }

  /** Resolves when everything is done. */
  async settled(): Promise<void> {
    while (this.ended) await this.ended;
  }

  /** Whether the time of the error state is cut short, now and until this is called again. */
  set hurry(hurry: boolean) {
    if (hurry) this.timer.abort();
    else this.timer = new AbortController();
  }

  private add(part: Promise<unknown>): void {
    const ended = Promise.all([this.ended, part]).then(() => {
      if (this.ended === ended) this.ended = undefined;
    });
    this.ended = ended;
  }

  private async handOver(
    { term, work }: ElectorLease,
    release: (() => void | Promise<void>) | undefined,
  ): Promise<void> {
    const { handoverTimeout, clock, report } = this.options;
    // A loss within an event is announced after that event: listeners of `lost` come before the store.
    if (work.pending === 0) await Promise.resolve();
    if (work.pending > 0) {
      const left = await work.drain(handoverTimeout, clock);
      if (left > 0) report(new HandoverTimeoutError(term, left, handoverTimeout));
    }
    try {
      await release?.();
    } catch (error) {
      report(toError(error));
    }
  }

  private async end(handover: Promise<void>, ending: EndRun | undefined): Promise<void> {
    await handover;
    if (!ending || ending.done) return;
    this.options.leave();
    try {
      await ending.finish();
    } catch (error) {
      this.fatal = error as ElectorGaveUpError;
      this.options.gaveUp(this.fatal);
    }
  }

  private async recover(cause: Error, before: Promise<void> | undefined): Promise<void> {
    await before;
    if (this.fatal) return;
    this.options.leave();
    const { handlers, clock, errorTimeout } = this.options;
    await Promise.all([handlers.error(cause), pause(errorTimeout, clock, this.timer.signal)]);
  }
}

/** Whether work failed because its signal aborted: with the reason of the signal, or with an `AbortError` as `fetch` does. */
export function isInterruption(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return (
    error === signal.reason ||
    error instanceof LeadershipLostError ||
    (error as { name?: unknown } | null)?.name === 'AbortError'
  );
}
