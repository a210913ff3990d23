import { FencedError } from '@detector-cluster/election/fence';
import { toError } from '@detector-cluster/election/internal';
import { MasterRequestError, TermOverError } from '../model/master-errors.js';
import type { ChangedRows } from '../desired/changed-rows.js';
import { RegenerationGate } from '../trigger/regeneration-gate.js';
import type { DetectorClusterTimings } from '../options/detector-cluster-options.js';
import type { DesiredStateStore, Regeneration } from '../state/desired-state-store.js';
import type { OutageRecords } from '../state/outage-records.js';
import type { ReconcileFigures } from '../state/reconcile-figures.js';
import type { ApplicationCalls } from '../util/application-calls.js';
import type { ClusterLogger } from './worker-logger.js';
import { NextRun } from './serial-loop.js';
import type { Reconciler } from './reconciler.js';

export interface RegeneratorOptions {
  readonly desired: DesiredStateStore;
  readonly reconciler: Reconciler;
  /** Reads the other inputs of a pass, with each read of everything. */
  readonly readMore: () => Promise<unknown>;
  readonly outages: Pick<OutageRecords, 'databaseFailed' | 'databaseRead'>;
  readonly calls: ApplicationCalls;
  readonly timings: DetectorClusterTimings;
  readonly figures: ReconcileFigures;
  readonly logger: ClusterLogger;
}

/** Reads the desired state when it may have changed, and passes the changes to the reconciler. */
export class Regenerator {
  private readonly notes: RegenerationNotes;
  private readonly nextRead = new NextRun<void>();
  private readonly gate: RegenerationGate;

  constructor(private readonly options: RegeneratorOptions) {
    const { logger, timings } = options;
    this.notes = new RegenerationNotes(logger);
    this.gate = new RegenerationGate({
      run: (reasons, rows, signal) => this.run(reasons, rows, signal),
      onError: (error, retryIn) => {
        if (error instanceof FencedError) return;
        const { message } = error as Error;
        logger.error(`cannot read the desired state: ${message}; next attempt in ${retryIn} ms`);
      },
      resyncInterval: timings.resyncInterval,
    });
  }

  start(): void {
    this.gate.start();
    this.soon('master-acquired');
  }

  /** The desired state may have changed. @param rows all rows that have changed; left out: any */
  soon(reason: string, rows?: ChangedRows): void {
    this.gate.trigger(reason, rows);
  }

  /**
   * Resolves when a read of everything that begins from now on is done.
   * @param call the method of the application's API that asks
   * @throws {MasterRequestError} when the desired state could not be read
   */
  async read(call: string, reason: string): Promise<void> {
    const read = this.nextRead.next();
    this.gate.trigger(reason);
    try {
      await read;
    } catch (error) {
      if (error instanceof FencedError || error instanceof TermOverError) throw error;
      throw MasterRequestError.unreadable(call);
    }
  }

  /** Starts no further read. Resolves when the present read has ended. @param reason for callers that wait for a read */
  async stop(reason?: Error): Promise<void> {
    if (reason !== undefined) this.nextRead.rejectAll(reason);
    await this.gate.stop();
  }

  private async run(
    reasons: readonly string[],
    rows: ChangedRows | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { figures, logger, reconciler } = this.options;
    logger.debug(`reads ${rows === null ? 'the desired state' : 'what has changed'}: ${reasons.join(', ')}`);
    figures.regenerating(reasons);
    const began = performance.now();
    let read = false;
    try {
      const some = rows === null ? null : await this.readSome(rows, signal);
      if (some === null) await this.nextRead.serve(async () => this.take(await this.readAll(signal)));
      else this.take(some);
      read = true;
    } finally {
      figures.regenerated(performance.now() - began, read);
      // Explicit subscriptions are read although the database is unavailable.
      if (!read) reconciler.everythingChanged();
    }
  }

  /** Resolves with null, without any effect, if everything must be read. */
  private readSome(rows: ChangedRows, signal: AbortSignal): Promise<Regeneration | null> {
    return this.options.desired.regenerateSome(rows, (source, wanted) =>
      this.readSource('desiredState.readSome', () => source.readSome(wanted), signal),
    );
  }

  private async readAll(signal: AbortSignal): Promise<Regeneration> {
    const { desired, readMore, reconciler } = this.options;
    const [regeneration] = await Promise.all([
      desired.regenerate(
        (source) => this.readSource('desiredState.read', () => source.read(), signal),
        () => reconciler.everythingChanged(),
      ),
      readMore(),
    ]);
    return regeneration;
  }

  private async readSource<T>(callback: string, read: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const { calls, outages, timings } = this.options;
    try {
      const state = await calls.run(callback, timings.readTimeout, read, signal);
      outages.databaseRead();
      return state;
    } catch (error) {
      if (!signal.aborted) outages.databaseFailed(toError(error));
      throw error;
    }
  }

  private take(regeneration: Regeneration): void {
    this.options.reconciler.desiredChanged(regeneration.changed);
    this.notes.note(regeneration);
  }
}

const MOST_SHOWN = 10;

/** Logs rows that could not be used, once until the list of them changes. */
class RegenerationNotes {
  private skipped = '';
  private unreadable = '';
  private hints = '';

  constructor(private readonly logger: ClusterLogger) {}

  note(regeneration: Regeneration): void {
    const skipped = regeneration.skipped
      .map(({ displayId, reason }) => `${displayId} (${reason})`)
      .join(', ');
    if (skipped !== this.skipped && skipped !== '')
      this.logger.warn(`displays without a subscription: ${skipped}`);
    this.skipped = skipped;
    const unreadable = regeneration.unreadable.join(', ');
    if (unreadable !== this.unreadable && unreadable !== '')
      this.logger.error(`explicit subscriptions that cannot be read: ${unreadable}`);
    this.unreadable = unreadable;
    const shown = regeneration.hintProblems.slice(0, MOST_SHOWN).join(', ');
    if (shown !== this.hints && shown !== '')
      this.logger.warn(
        `${regeneration.hintProblems.length} hints for the placement cannot be used, the defaults are: ${shown}`,
      );
    this.hints = shown;
  }
}
