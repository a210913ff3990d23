import { FencedError } from '@detector-cluster/election/fence';
import { NextRun, Repeater, toError, UnreadableFields } from '@detector-cluster/election/internal';
import { MasterRequestError, TermOverError } from '../shared/master-errors.js';
import { runInSlices } from '../shared/run-in-slices.js';
import type { ChangedRows } from '../sources/changed-rows.js';
import { RegenerationGate } from './regeneration-gate.js';
import type { DetectorClusterTimings } from '../options/detector-cluster-options.js';
import { desiredPages, type CallSource } from '../sources/desired-pages.js';
import type { DesiredRead, DesiredState } from '../sources/desired-state-source.js';
import { UncertainReadError } from '../sources/uncertain-read.error.js';
import type { DesiredStateStore, Regeneration } from './desired-state-store.js';
import type { ModelRollouts } from './model-rollouts.js';
import { SeenModels } from '../sources/seen-models.js';
import type { OutageRecords } from '../operators/outage-records.js';
import type { ReconcileFigures } from './reconcile-figures.js';
import type { ApplicationCalls } from '../shared/application-calls.js';
import type { ListedTimer } from '../shared/cluster-timers.js';
import type { ClusterLogger } from '../operators/worker-logger.js';
import type { Reconciler } from './reconciler.js';

/** The reason of a read because a model has another version. */
export const MODEL_CHANGED = 'model-changed';

export interface RegeneratorOptions {
  readonly desired: DesiredStateStore;
  readonly models: Pick<ModelRollouts, 'look'>;
  readonly reconciler: Reconciler;
  /** Compares what this master has written with Redis. Resolves with whether anything differs; see {@link HashMirror.compare}. */
  readonly compare: () => Promise<boolean>;
  /** Begins to read the other inputs of a pass, with each read of everything. */
  readonly readMore: () => readonly Promise<unknown>[];
  readonly outages: Pick<OutageRecords, 'databaseFailed' | 'databaseRead'>;
  readonly calls: ApplicationCalls;
  readonly timings: DetectorClusterTimings;
  readonly resync: Pick<ListedTimer, 'set'>;
  /** The hash of explicit subscriptions. */
  readonly requestedKey: string;
  readonly figures: ReconcileFigures;
  readonly logger: ClusterLogger;
}

/** Reads the desired state when it may have changed, and passes the changes to the reconciler. */
export class Regenerator {
  private readonly notes: RegenerationNotes;
  private readonly nextRead = new NextRun<void>();
  private readonly gate: RegenerationGate;
  private readonly ended = new AbortController();
  private readonly comparison: Repeater<boolean>;
  private started = false;
  /** Monotonic milliseconds. */
  private comparedAt = performance.now();

  constructor(private readonly options: RegeneratorOptions) {
    const { compare, logger, outages, requestedKey, resync, timings } = options;
    this.notes = new RegenerationNotes(logger, requestedKey);
    this.comparison = new Repeater({ signal: this.ended.signal, run: compare });
    this.gate = new RegenerationGate({
      run: (reasons, rows, signal, admit) =>
        rows === null ? this.readAll(reasons, signal, admit) : this.readSome(reasons, rows, signal),
      onError: (error, retryIn) => {
        if (error instanceof FencedError) return;
        if (error instanceof UncertainReadError) outages.databaseFailed(error);
        const { message } = error as Error;
        logger.error(`cannot read the desired state: ${message}; next attempt in ${retryIn} ms`);
      },
      resyncInterval: timings.resyncInterval,
      setResync: (callback, delay) => resync.set(callback, delay),
    });
  }

  /** Begins with a read of everything, which answers all earlier requests for a read. */
  start(): void {
    this.started = true;
    this.gate.start();
    this.soon('master-acquired');
  }

  /** The desired state may have changed. @param rows all rows that have changed; left out: any */
  soon(reason: string, rows?: ChangedRows): void {
    // What the predecessor has left would replace what is read before it is loaded.
    if (!this.started) return;
    this.gate.trigger(reason, this.options.desired.readsSome ? rows : undefined);
  }

  /** Redis was unavailable, and may have lost earlier writes. */
  redisReturned(): void {
    if (!this.started) {
      this.comparedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    this.soon('redis-returned');
    void this.compare().then((differs) => differs && this.soon('redis-returned'));
  }

  /**
   * Resolves when a read of everything that begins from now on is done.
   * @param call the method of the application's API that asks
   * @throws {MasterRequestError} when the desired state could not be read
   */
  async read(call: string, reason: string): Promise<void> {
    const read = this.nextRead.next();
    this.soon(reason);
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
    this.ended.abort();
    await this.gate.stop();
  }

  private async readAll(reasons: readonly string[], signal: AbortSignal, admit: () => void): Promise<void> {
    const { desired, figures, logger, readMore, reconciler } = this.options;
    logger.debug(`reads the desired state: ${reasons.join(', ')}`);
    figures.regenerating(reasons);
    const compared = this.isComparisonDue(reasons) ? this.compare() : Promise.resolve(false);
    const readOnce = async () => {
      const reads = [
        desired.regenerate(
          (source) => this.pages('desiredState.read', () => source.read(), reasons, signal),
          {
            onSnapshot: admit,
            onExplicit: () => reconciler.everythingChanged(),
          },
        ),
        ...readMore(),
      ] as const;
      // If one fails, the others still run. No pass would learn what it applies, and it would mix with the next read.
      await Promise.allSettled(reads);
      const [regeneration] = await Promise.all(reads);
      this.take(regeneration);
    };
    const read = async () => {
      await readOnce();
      // What Redis does not have is written by a read that begins after the comparison.
      if (await compared) await readOnce();
    };
    const began = performance.now();
    let done = false;
    try {
      await this.nextRead.serve(read);
      done = true;
    } finally {
      figures.regenerated(performance.now() - began, done);
      // Explicit subscriptions are read although the database is unavailable.
      if (!done) reconciler.everythingChanged();
    }
  }

  private isComparisonDue(reasons: readonly string[]): boolean {
    const isLate = performance.now() - this.comparedAt >= this.options.timings.resyncInterval;
    return isLate || reasons.includes('requested') || reasons.includes('resync');
  }

  /** Resolves with whether Redis does not have what this master has written; with false if that could not be found out. */
  private async compare(): Promise<boolean> {
    this.comparedAt = performance.now();
    try {
      return await this.comparison.next();
    } catch {
      // Redis is unavailable, another program has changed the type of a key, or the term is over.
      this.comparedAt = Number.NEGATIVE_INFINITY;
      return false;
    } finally {
      if (!this.ended.signal.aborted) this.options.reconciler.everythingChanged();
    }
  }

  private async readSome(reasons: readonly string[], rows: ChangedRows, signal: AbortSignal): Promise<void> {
    const { desired, figures, logger } = this.options;
    logger.debug(`reads what has changed: ${reasons.join(', ')}`);
    const began = performance.now();
    let regeneration: Regeneration | null | undefined;
    try {
      regeneration = await desired.regenerateSome(rows, (source, wanted) =>
        this.pages('desiredState.readSome', () => source.readSome(wanted), reasons, signal),
      );
    } finally {
      if (regeneration !== null) {
        figures.regenerating(reasons);
        figures.regenerated(performance.now() - began, regeneration !== undefined);
      }
    }
    if (regeneration !== null) this.take(regeneration);
    else for (const reason of reasons) this.gate.trigger(reason);
  }

  /** Each page has a time limit of its own. What is known of the models of a page is known before it is passed on. */
  private async *pages(
    callback: string,
    read: () => DesiredRead,
    reasons: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<DesiredState, void> {
    const { calls, models, outages, timings } = this.options;
    const isNews = reasons.some((reason) => reason !== MODEL_CHANGED);
    const call: CallSource = async (step) => {
      try {
        return await calls.run(callback, timings.readTimeout, step, signal);
      } catch (error) {
        if (!signal.aborted) outages.databaseFailed(toError(error));
        throw error;
      }
    };
    const seen = new SeenModels();
    for await (const page of desiredPages(read, call)) {
      await models.look(await runInSlices(seen.newIn(page)), isNews);
      yield page;
    }
    outages.databaseRead();
  }

  private take(regeneration: Regeneration): void {
    this.options.reconciler.desiredChanged(regeneration.changed);
    this.notes.note(regeneration);
    const { outdated: displays } = regeneration;
    if (displays.length > 0) this.soon('change', { displays });
  }
}

const MAX_SHOWN = 10;

/** Logs rows that could not be used, once until the list of them changes. */
class RegenerationNotes {
  private skipped = '';
  private readonly unreadable: UnreadableFields;
  private hints = '';

  constructor(
    private readonly logger: ClusterLogger,
    requestedKey: string,
  ) {
    this.unreadable = new UnreadableFields(requestedKey, (message) => logger.error(message));
  }

  note({ skipped, unreadable, hintProblems }: Regeneration): void {
    const rows = shortened(skipped, ({ displayId, reason }) => `${displayId} (${reason})`);
    if (rows !== this.skipped && rows !== '') this.logger.warn(`displays without a subscription: ${rows}`);
    this.skipped = rows;
    this.unreadable.note(unreadable);
    const hints = shortened(hintProblems, (problem) => problem);
    if (hints !== this.hints && hints !== '')
      this.logger.warn(`hints for the placement cannot be used, the defaults are: ${hints}`);
    this.hints = hints;
  }
}

/** The first entries of a map of lists, and how many keys it has beyond them. */
function shortened<T>(lists: ReadonlyMap<string, readonly T[]>, shown: (item: T) => string): string {
  const first: string[] = [];
  let keys = 0;
  for (const list of lists.values()) {
    if (first.length >= MAX_SHOWN) break;
    first.push(...list.slice(0, MAX_SHOWN - first.length).map(shown));
    keys++;
  }
  const text = first.join(', ');
  return keys < lists.size ? `${text} and ${lists.size - keys} more` : text;
}
