import type { Redis } from 'ioredis';
import { isDeepStrictEqual } from 'node:util';
import type { ChangedSubscription } from '../operators/plan-report.js';
import {
  type SkippedDisplay,
  checkedHints,
  displayOf,
  type PlacementHintsOf,
  parseSubscription,
  type DesiredCameraSubscription,
  type DesiredEntry,
  inChunks,
} from '@detector-cluster/placement/internal';
import type { LiveRequests } from '../sources/term-requests.js';
import { leavesFileToProvider } from '../sources/checked-subscription.js';
import type { SecretBox } from '../sources/secret-box.js';
import type { NetworkPolicy } from '../shared/network-policy.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { FencedStore } from '@detector-cluster/election/fence';
import { runInSlices } from '../shared/run-in-slices.js';
import { describeSubscription, type Described, type DescribeOptions } from './describe-subscription.js';
import { entryOf, forbiddenAddress, fromDesiredRecord, skippedRecord } from './desired-record.js';
import { Commit } from '../shared/commit.js';
import { compareInTurn, HashMirror } from '../shared/hash-mirror.js';

/** What is to change. */
export interface DesiredChanges {
  /** Subscription → how it is to be; null: it is no longer desired. */
  readonly subscriptions: ReadonlyMap<string, Described | null>;
  /** Whether the source has one of these subscriptions. */
  readonly isOfSource: (id: string) => boolean;
  /** Display → its rows that yield no subscription; null: none. */
  readonly skipped: ReadonlyMap<string, readonly SkippedDisplay[] | null>;
  /** Adds what is to be written before them. */
  readonly with: (commit: Commit) => void;
}

const listOf = (ids: string | ReadonlySet<string> | undefined): Iterable<string> =>
  typeof ids === 'string' ? [ids] : (ids ?? []);

/** The version of its model's file that a subscription is to run, as far as it is known. */
export type VersionOf = (subscription: DesiredCameraSubscription) => string | undefined;

/** What a preview does not know of a new subscription. */
const NEW_SUBSCRIPTION = { rtspUrl: '', createdAt: new Date(0).toISOString() } as const;

/** The desired state as a master knows it, and its record in Redis. */
export class KnownSubscriptions {
  /** Rows of the source that yield no subscription, by display. */
  readonly skippedRows = new Map<string, readonly SkippedDisplay[]>();
  /** Subscription → one line for each hint that could not be used. */
  readonly hintProblems = new Map<string, readonly string[]>();
  private all = new Map<string, DesiredEntry>();
  /** What is in {@link entries}, without hints. */
  private readonly described = new Map<string, Described>();
  /** Display → its subscriptions that come from the source; most displays have one, and need no set. */
  private readonly displays = new Map<string, string | Set<string>>();
  /** Explicit subscriptions by identifier. */
  private requested = new Map<string, Described>();
  private readonly desired: HashMirror;
  private readonly skipped: HashMirror;

  constructor(
    private readonly store: FencedStore,
    keys: ClusterKeys,
    private readonly box: SecretBox | null,
    private readonly hintsOf: PlacementHintsOf | null,
    private readonly networks: NetworkPolicy,
    private readonly versionOf: VersionOf,
  ) {
    this.desired = new HashMirror(store, keys.desired);
    this.skipped = new HashMirror(store, keys.skipped);
  }

  /**
   * Takes over the predecessor's desired state, so that workers keep running while the database is unavailable. Without a secret
   * Redis has no credentials: subscriptions that may have some are redacted until the database answers.
   */
  async load(redis: Redis): Promise<void> {
    const known = new Map<string, DesiredEntry>();
    const take = ([, record]: [string, string]) => {
      const read = fromDesiredRecord(record, this.box);
      if (read === null) return;
      const { entry, sealed } = read;
      const id = entry.spec.subscriptionIdentifier;
      known.set(id, this.hinted(entry));
      // Unchanged records are not encrypted and written again, except those written without a secret.
      const isReusable =
        !entry.redacted &&
        sealed === (this.box !== null) &&
        forbiddenAddress(entry.spec, this.networks) === null;
      if (isReusable) this.described.set(id, { entry, record, completeHash: undefined });
    };
    await this.desired.load(redis, take);
    await this.skipped.load(redis);
    this.all = known;
  }

  /** By identifier; a new map whenever subscriptions were added or removed. */
  get entries(): ReadonlyMap<string, DesiredEntry> {
    return this.all;
  }

  /**
   * The desired subscriptions as they would be if the source added some and no longer returned others; nothing is changed. An
   * explicit subscription remains when the source no longer returns it.
   */
  after(
    added: readonly ChangedSubscription[],
    removed: readonly string[],
  ): ReadonlyMap<string, DesiredEntry> {
    const entries = new Map(this.all);
    for (const id of removed) {
      const requested = this.requested.get(id);
      if (requested === undefined) entries.delete(id);
      else entries.set(id, requested.entry);
    }
    for (const { subscriptionIdentifier: id, modelId, modelName } of added) {
      const known = entries.get(id);
      const spec = { ...(known?.spec ?? NEW_SUBSCRIPTION), subscriptionIdentifier: id, modelId, modelName };
      const { hints } = known ?? checkedHints(this.hintsOf, spec);
      const { cameraId } = parseSubscription(id);
      entries.set(id, { spec, cameraId, hash: known?.hash ?? '', ...(hints !== undefined && { hints }) });
    }
    return entries;
  }

  /** See {@link HashMirror.compare}. */
  compare(): Promise<boolean> {
    return compareInTurn(this.desired, this.skipped);
  }

  /** Describes a subscription of the source. */
  check(given: DesiredCameraSubscription): Described | SkippedDisplay {
    return this.describe(this.versioned(given));
  }

  private describe(
    given: DesiredCameraSubscription,
    stored?: DescribeOptions['stored'],
  ): Described | SkippedDisplay {
    const { box, networks } = this;
    const before = this.described.get(given.subscriptionIdentifier);
    return describeSubscription(given, { before, box, networks, ...(stored && { stored }) });
  }

  /** While no version of its model is known, the subscription keeps the one that it has had, maybe under another master. */
  private versioned(given: DesiredCameraSubscription): DesiredCameraSubscription {
    if (!leavesFileToProvider(given)) return given;
    const before = this.all.get(given.subscriptionIdentifier)?.spec;
    const isSameModel = before?.modelId === given.modelId && before.modelName === given.modelName;
    const version =
      this.versionOf(given) ?? given.modelVersion ?? (isSameModel ? before.modelVersion : undefined);
    return version === given.modelVersion ? given : { ...given, modelVersion: version! };
  }

  /** What is known of a subscription, but for its hints. */
  describedAs(id: string): Described | undefined {
    return this.described.get(id);
  }

  /** An explicit request for a subscription. */
  requestOf(id: string): Described | null {
    return this.requested.get(id) ?? null;
  }

  /** All identifiers that are known, requested or in Redis; some of them more than once. */
  *ids(): Generator<string> {
    yield* this.requested.keys();
    yield* this.all.keys();
    // Also what this master could not read.
    yield* this.desired.fields();
  }

  /** All displays with skipped rows, here or in Redis; some of them more than once. */
  *skippedDisplays(): Generator<string> {
    yield* this.skippedRows.keys();
    yield* this.skipped.fields();
  }

  /** Takes what is requested explicitly. Returns what cannot be used, by subscription. */
  takeRequests({ subscriptions, redacted, ended }: LiveRequests): Map<string, SkippedDisplay> {
    const hashes = new Map(redacted.map(({ spec, hash }) => [spec, hash]));
    const refused = new Map(ended);
    this.requested = new Map();
    for (const spec of [...subscriptions, ...hashes.keys()]) {
      const checked = this.describe(spec, { completeHash: hashes.get(spec) });
      if ('reason' in checked) refused.set(spec.subscriptionIdentifier, checked);
      else this.requested.set(spec.subscriptionIdentifier, checked);
    }
    return refused;
  }

  /** The subscriptions of a display that come from the source. */
  ofDisplay(display: string): Iterable<string> {
    return listOf(this.displays.get(display));
  }

  /** Displays with a subscription of one of these cameras. */
  async displaysOf(cameras: readonly string[]): Promise<string[]> {
    const wanted = new Set(cameras);
    const found: string[] = [];
    const look = (ids: string | ReadonlySet<string>) => {
      for (const id of listOf(ids)) {
        const cameraId = this.described.get(id)?.entry.cameraId;
        if (cameraId !== undefined && wanted.has(cameraId)) found.push(displayOf(id));
      }
    };
    if (cameras.length > 0) await runInSlices(inChunks(this.displays.values(), look));
    return found;
  }

  /** Whether this is what is known of a subscription, and in Redis. */
  isAsKnown(id: string, described: Described, ofSource: boolean): boolean {
    const { entry } = described;
    const known = this.all.get(id);
    return (
      known !== undefined &&
      known.spec === entry.spec &&
      known.redacted === entry.redacted &&
      this.described.get(id) === described &&
      this.desired.has(id) &&
      this.isOfSource(id) === ofSource &&
      (this.hintsOf === null || this.sameHints(known, this.hinted(entry)))
    );
  }

  isOfSource(id: string): boolean {
    const ids = this.displays.get(displayOf(id));
    return typeof ids === 'string' ? ids === id : ids !== undefined && ids.has(id);
  }

  /**
   * While the database is unavailable: explicit subscriptions do not need it. The database takes precedence for the same
   * identifier, so this takes only subscriptions that are new, or known except for their credentials. Returns whether there are any.
   */
  addExplicit({ subscriptions }: Pick<LiveRequests, 'subscriptions'>): boolean {
    const added = new Map<string, DesiredEntry>();
    for (const spec of subscriptions) {
      if (forbiddenAddress(spec, this.networks) !== null) continue;
      const entry = this.hinted(entryOf(spec, undefined, this.box?.hashKey));
      const known = this.all.get(spec.subscriptionIdentifier);
      if (known === undefined || (known.redacted === true && known.hash === entry.hash))
        added.set(spec.subscriptionIdentifier, entry);
    }
    if (added.size > 0) this.all = new Map([...this.all, ...added]);
    return added.size > 0;
  }

  /**
   * Writes the changes down, then takes them. Resolves with the subscriptions whose specification changed; with null if subscriptions
   * were added or removed, or the planner's hints changed.
   */
  async apply({
    subscriptions: next,
    isOfSource,
    skipped: skips,
    ...changes
  }: DesiredChanges): Promise<string[] | null> {
    const records = new Map<string, string | null>();
    const record = ([id, described]: [string, Described | null]) => {
      const text = described === null ? null : described.record;
      if (!this.desired.holds(id, text)) records.set(id, text);
    };
    await runInSlices(inChunks(next, record));
    const skipRecords = new Map<string, string | null>();
    const recordSkip = ([display, rows]: [string, readonly SkippedDisplay[] | null]) => {
      const text = rows === null ? null : skippedRecord(rows);
      if (!this.skipped.holds(display, text)) skipRecords.set(display, text);
    };
    await runInSlices(inChunks(skips, recordSkip));
    const commit = new Commit(this.store);
    changes.with(commit);
    await this.desired.addTo(commit, records);
    await this.skipped.addTo(commit, skipRecords);
    await commit.write();
    for (const [display, rows] of skips)
      if (rows === null) this.skippedRows.delete(display);
      else this.skippedRows.set(display, rows);
    return await runInSlices(this.take(next, isOfSource));
  }

  private *take(
    next: ReadonlyMap<string, Described | null>,
    isOfSource: (id: string) => boolean,
  ): Generator<void, string[] | null> {
    let isSame = true;
    const compare = ([id, described]: [string, Described | null]) => {
      isSame &&= this.all.has(id) === (described !== null);
    };
    yield* inChunks(next, compare);
    // A caller that still uses the returned map must keep seeing its entries.
    const known = isSame ? this.all : new Map<string, DesiredEntry>();
    if (!isSame) yield* inChunks(this.all, ([id, entry]) => known.set(id, entry));
    const changed: string[] = [];
    let sameHints = true;
    yield* inChunks(next, ([id, described]) => {
      this.noteSource(id, isOfSource(id));
      if (described === null) {
        this.described.delete(id);
        known.delete(id);
        this.hintProblems.delete(id);
        return;
      }
      const before = known.get(id);
      const hinted = this.hinted(described.entry);
      sameHints &&= this.sameHints(before, hinted);
      if (before?.hash !== hinted.hash || before.redacted !== hinted.redacted) changed.push(id);
      this.described.set(id, described);
      known.set(id, hinted);
    });
    this.all = known;
    return isSame && sameHints ? changed : null;
  }

  private noteSource(id: string, ofSource: boolean): void {
    if (this.isOfSource(id) === ofSource) return;
    const display = displayOf(id);
    const ids = this.displays.get(display);
    if (ids instanceof Set) {
      if (ofSource) ids.add(id);
      else if (ids.delete(id) && ids.size === 0) this.displays.delete(display);
    } else if (!ofSource) this.displays.delete(display);
    else this.displays.set(display, ids === undefined ? id : new Set([ids, id]));
  }

  private sameHints(before: DesiredEntry | undefined, after: DesiredEntry): boolean {
    return this.hintsOf === null || isDeepStrictEqual(before?.hints, after.hints);
  }

  private hinted(entry: DesiredEntry): DesiredEntry {
    if (this.hintsOf === null) return entry;
    const { hints, problems } = checkedHints(this.hintsOf, entry.spec);
    const id = entry.spec.subscriptionIdentifier;
    if (problems.length === 0) this.hintProblems.delete(id);
    else
      this.hintProblems.set(
        id,
        problems.map((problem) => `${id} (${problem})`),
      );
    return Object.keys(hints).length === 0 ? entry : { ...entry, hints };
  }
}
