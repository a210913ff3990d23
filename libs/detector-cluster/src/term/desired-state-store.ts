import type { Redis } from 'ioredis';
import { settlesWithin } from '@detector-cluster/election/internal';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangedSubscription } from '../operators/plan-report.js';
import { MAX_CHANGED_ROWS, type ChangedRows } from '../sources/changed-rows.js';
import { desiredPages } from '../sources/desired-pages.js';
import type { DesiredState, DesiredStateSource } from '../sources/desired-state-source.js';
import {
  displayOf,
  type SkippedDisplay,
  type SkipReason,
  type PlacementHintsOf,
  type DesiredCameraSubscription,
  type DesiredEntry,
  inChunks,
} from '@detector-cluster/placement/internal';
import type { SecretBox } from '../sources/secret-box.js';
import type { LiveRequests, TermRequests } from '../sources/term-requests.js';
import { NetworkPolicy } from '../shared/network-policy.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { FencedStore } from '@detector-cluster/election/fence';
import { OneByOne } from '../shared/one-by-one.js';
import { runInSlices } from '../shared/run-in-slices.js';
import { TimeSlices } from '../shared/time-slices.js';
import type { Described } from './describe-subscription.js';
import { unreadable } from './desired-record.js';
import { UncertainReadError } from '../sources/uncertain-read.error.js';
import { CertainReads } from './certain-reads.js';
import { addSkipped, eachOf, FullRead, type SkippedRows } from './full-read.js';
import { KnownSubscriptions, type VersionOf } from './known-subscriptions.js';

/** The outcome of a read. */
export interface Regeneration {
  /** Rows that yield no subscription, by display. */
  readonly skipped: ReadonlyMap<string, readonly SkippedDisplay[]>;
  /** Explicit subscriptions that could not be used unchanged. One line each: the subscription and its problem. */
  readonly unreadable: readonly string[];
  /** Subscription → one line for each hint that could not be used. */
  readonly hintProblems: ReadonlyMap<string, readonly string[]>;
  /** Subscriptions whose specification changed; null if subscriptions were added or removed, or the planner's hints changed. */
  readonly changed: readonly string[] | null;
  /** Displays that have changed since they were read: the caller has to have them read again. */
  readonly outdated: readonly string[];
}

export interface RegenerateHooks {
  /** Called with the first page of the source: {@link DesiredStateStore.regenerateSome} may be called from now on. */
  readonly onSnapshot?: () => void;
  /** Called when the source is slow and explicit subscriptions have been taken without it. */
  readonly onExplicit?: () => void;
}

type Pages = AsyncIterable<DesiredState>;

/** How long explicit subscriptions wait for the source. Milliseconds. */
const SLOW_SOURCE = 1_000;

/** More subscriptions and skipped rows than this are not read between the pages of a read of everything. */
const MAX_READ_AT_ONCE = 5_000;

/**
 * How long a computation about everything waits for a small read. It is limited, because two reads would wait for each other if the
 * application has one connection. Milliseconds.
 */
const COURTESY = 250;

/** How long it then leaves the event loop to the pass that sends what the small one has found. Milliseconds. */
const TIME_TO_SEND = 20;

/** The master's desired state: read again on every regeneration, kept in Redis for its successor. */
export class DesiredStateStore {
  /** Whether it has been read from its source in this term. Before that no stream may be stopped. */
  certain = false;
  private readonly known: KnownSubscriptions;
  private unreadable: string[] = [];
  /** The read of everything whose snapshot is older than that of a small read which begins now. */
  private full: FullRead | null = null;
  private fullReads = 0;
  private smallRead: Promise<unknown> | null = null;
  /** Two changes of what is known never mix. */
  private readonly changes = new OneByOne();

  /**
   * @param readListeners resolves when all listeners announced before the call are known
   * @param box encrypts URLs; null when no secret is configured
   * @param versionOf the version of a model's file, as far as it is known
   */
  constructor(
    store: FencedStore,
    keys: ClusterKeys,
    private readonly source: DesiredStateSource | null,
    private readonly requests: Pick<TermRequests, 'list'>,
    private readonly readListeners: () => Promise<void>,
    box: SecretBox | null = null,
    hintsOf: PlacementHintsOf | null = null,
    networks = NetworkPolicy.default,
    versionOf: VersionOf = () => undefined,
    private readonly reads = new CertainReads(store, keys),
  ) {
    this.known = new KnownSubscriptions(store, keys, box, hintsOf, networks, versionOf);
  }

  /** See {@link KnownSubscriptions.load}. */
  async load(redis: Redis): Promise<void> {
    await this.reads.load(redis);
    await this.known.load(redis);
  }

  /** Why the display of a subscription is skipped; null: it is not. */
  skipReasonOf(subscriptionIdentifier: string): SkipReason | null {
    return this.known.skippedRows.get(displayOf(subscriptionIdentifier))?.at(-1)?.reason ?? null;
  }

  /** Desired subscriptions by identifier; a new map whenever subscriptions were added or removed. */
  get entries(): ReadonlyMap<string, DesiredEntry> {
    return this.known.entries;
  }

  /** See {@link KnownSubscriptions.after}. */
  after(
    added: readonly ChangedSubscription[],
    removed: readonly string[],
  ): ReadonlyMap<string, DesiredEntry> {
    return this.known.after(added, removed);
  }

  /** See {@link HashMirror.compare}. */
  compare(): Promise<boolean> {
    return this.known.compare();
  }

  /** Whether {@link regenerateSome} can do anything yet. */
  get readsSome(): boolean {
    return this.certain && this.source?.readSome !== undefined;
  }

  /**
   * Reads the whole desired state again, and compares it page by page. What has changed takes effect at the end. Rejects, without a change
   * of what the source has decided, when the source or Redis cannot be reached, or the source may lack what it had before.
   * @param read reads the source; called once
   */
  async regenerate(
    read: (source: DesiredStateSource) => Pages = (source) => desiredPages(() => source.read()),
    { onSnapshot = () => undefined, onExplicit = () => undefined }: RegenerateHooks = {},
  ): Promise<Regeneration> {
    const explicit = await this.requests.list();
    // A process announces its listener before it requests a camera, so the master must know it before it routes detections.
    const requested = [...explicit.subscriptions, ...explicit.redacted.map(({ spec }) => spec)];
    if (!requested.every(({ subscriptionIdentifier: id }) => this.entries.has(id)))
      await this.readListeners();
    const refused = this.known.takeRequests(explicit);
    const addExplicit = () => this.changes.run(async () => this.known.addExplicit(explicit));
    const slow = setTimeout(() => void addExplicit().then((any) => any && onExplicit()), SLOW_SOURCE);
    const full = new FullRead(++this.fullReads);
    try {
      try {
        if (this.source !== null) await this.readPages(read(this.source), full, onSnapshot);
      } catch (error) {
        await addExplicit();
        throw error;
      } finally {
        clearTimeout(slow);
      }
      await runInSlices(this.findOthers(full, refused));
      return await this.changes.run(() => this.conclude(full, explicit));
    } finally {
      this.full = null;
    }
  }

  /**
   * Reads only the subscriptions that depend on the rows. Resolves with null, without any change, if everything must be read.
   * Rejects like {@link regenerate}.
   *
   * While {@link regenerate} runs, this may be called between its first page and its end. Calls must not overlap.
   * @param read reads the source; called at most once
   */
  regenerateSome(
    rows: ChangedRows,
    read: (source: Required<DesiredStateSource>, rows: ChangedRows) => Pages = (source, wanted) =>
      desiredPages(() => source.readSome(wanted)),
  ): Promise<Regeneration | null> {
    const regeneration = this.readSome(rows, read);
    const ended = () => {
      if (this.smallRead === settled) this.smallRead = null;
    };
    const settled = regeneration.then(ended, ended);
    this.smallRead = settled;
    return regeneration;
  }

  /**
   * Resolves when no {@link regenerateSome} runs, but after 250 ms at the latest. Each of its many short steps would wait for a long
   * computation. Resolves with whether one ran.
   */
  async giveWay(): Promise<boolean> {
    const { smallRead } = this;
    if (smallRead === null) return false;
    await settlesWithin(smallRead, COURTESY);
    return true;
  }

  private async readSome(
    rows: ChangedRows,
    read: (source: Required<DesiredStateSource>, rows: ChangedRows) => Pages,
  ): Promise<Regeneration | null> {
    if (!this.readsSome) return null;
    const displays = new Set([
      ...(rows.displays ?? []),
      ...(await this.known.displaysOf(rows.cameras ?? [])),
    ]);
    if (displays.size > MAX_CHANGED_ROWS) return null;
    const wanted = { ...rows, displays: [...displays] };
    const subscriptions: DesiredCameraSubscription[] = [];
    const skipped: SkippedDisplay[] = [];
    let position: DesiredState['position'] | null = null;
    for await (const page of read(this.source as Required<DesiredStateSource>, wanted)) {
      if (subscriptions.length + skipped.length + sizeOf(page) > MAX_READ_AT_ONCE) return null;
      if (position === null) await this.reads.judge((position = page.position));
      subscriptions.push(...page.subscriptions);
      skipped.push(...page.skipped);
    }
    return await this.changes.run(() =>
      this.takeSome({ subscriptions, skipped }, displays, rows.cameras ?? []),
    );
  }

  private async takeSome(
    state: DesiredState,
    displays: Set<string>,
    cameras: readonly string[],
  ): Promise<Regeneration | null> {
    const skipped: SkippedRows = new Map();
    const next = new Map<string, Described | null>();
    const take = (given: DesiredCameraSubscription): SkippedDisplay | null => {
      const checked = this.known.check(given);
      if ('reason' in checked) return checked;
      next.set(checked.entry.spec.subscriptionIdentifier, checked);
      return null;
    };
    await runInSlices(eachOf(state, take, skipped), new TimeSlices(true));
    if (skipped.has('')) return null;
    const found = new Set(next.keys());
    for (const id of found) displays.add(displayOf(id));
    for (const display of skipped.keys()) displays.add(display);
    for (const display of displays)
      for (const id of this.known.ofDisplay(display))
        if (!found.has(id)) next.set(id, this.known.requestOf(id));
    this.full?.overtaken(displays, cameras);
    const skips = [...displays].map((display) => [display, skipped.get(display) ?? null] as const);
    const changed = await this.known.apply({
      subscriptions: next,
      isOfSource: (id) => found.has(id),
      skipped: new Map(skips),
      with: (commit) => this.reads.addTo(commit),
    });
    return this.regeneration(changed);
  }

  private async readPages(pages: Pages, full: FullRead, onSnapshot: () => void): Promise<void> {
    const slices = new TimeSlices();
    const find = (given: DesiredCameraSubscription) => this.find(given, full);
    for await (const page of pages) {
      if (this.full === null) {
        await this.reads.judge((full.position = page.position));
        this.full = full;
        onSnapshot();
      }
      await runInSlices(eachOf(page, find, full.skipped), slices);
      if (await this.giveWay()) await sleep(TIME_TO_SEND);
    }
  }

  /** Compares a subscription of the source with the one that is known. Returns why it cannot be used, or null. */
  private find(given: DesiredCameraSubscription, full: FullRead): SkippedDisplay | null {
    const checked = this.known.check(given);
    if ('reason' in checked) return checked;
    const { subscriptionIdentifier: id } = checked.entry.spec;
    checked.foundBy = full.number;
    if (this.known.isAsKnown(id, checked, true)) full.next.delete(id);
    else full.next.set(id, checked);
    return null;
  }

  /** Finds what is no longer desired, and what is desired because of a request alone. */
  private *findOthers(full: FullRead, refused: ReadonlyMap<string, SkippedDisplay>): Generator<void, void> {
    const isFound = (id: string) =>
      full.next.get(id)?.foundBy === full.number || this.known.describedAs(id)?.foundBy === full.number;
    const look = (id: string) => {
      if (!isFound(id)) this.leaveToRequests(id, full);
    };
    for (const [id, row] of refused) if (!isFound(id)) addSkipped(full.skipped, row);
    yield* inChunks(this.known.ids(), look);
  }

  /** The source does not have this subscription. */
  private leaveToRequests(id: string, { next }: FullRead): void {
    const requested = this.known.requestOf(id);
    if (requested !== null && this.known.isAsKnown(id, requested, false)) next.delete(id);
    else next.set(id, requested);
  }

  private async conclude(full: FullRead, explicit: LiveRequests): Promise<Regeneration> {
    if (!this.reads.isPresent(full.position))
      throw new UncertainReadError('another database server has taken over during the read');
    const { all: overtaken, doubtful } = full.overtakenDisplays();
    const keep = (id: string) => {
      if (!overtaken.has(displayOf(id))) return;
      if (this.known.isOfSource(id)) full.next.delete(id);
      else this.leaveToRequests(id, full);
    };
    if (overtaken.size > 0) await runInSlices(inChunks(full.next.keys(), keep));
    const isOfSource = (id: string) =>
      overtaken.has(displayOf(id)) ? this.known.isOfSource(id) : full.next.get(id)?.foundBy === full.number;
    const skips = new Map<string, readonly SkippedDisplay[] | null>(full.skipped);
    const endSkip = (display: string) => {
      if (!skips.has(display)) skips.set(display, null);
    };
    await runInSlices(inChunks(this.known.skippedDisplays(), endSkip));
    for (const display of overtaken) skips.delete(display);
    const changed = await this.known.apply({
      subscriptions: full.next,
      isOfSource,
      skipped: skips,
      with: (commit) => this.reads.addTo(commit),
    });
    this.unreadable = unreadable(explicit);
    const wasCertain = this.certain;
    this.certain = true;
    return this.regeneration(wasCertain ? changed : null, doubtful);
  }

  private regeneration(changed: readonly string[] | null, outdated: readonly string[] = []): Regeneration {
    const { hintProblems, skippedRows: skipped } = this.known;
    return { skipped, unreadable: this.unreadable, hintProblems, changed, outdated };
  }
}

const sizeOf = ({ subscriptions, skipped }: DesiredState): number => subscriptions.length + skipped.length;
