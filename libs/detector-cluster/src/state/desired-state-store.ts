import type { Redis } from 'ioredis';
import { MOST_CHANGED_ROWS, type ChangedRows } from '../desired/changed-rows.js';
import type { DesiredState, DesiredStateSource, SkippedDisplay } from '../desired/desired-state-source.js';
import type {
  ExplicitSubscriptions,
  ExplicitSubscriptionStore,
} from '../desired/explicit-subscription-store.js';
import { checkedHints, type PlacementHintsOf } from '../desired/placement-hints.js';
import {
  mergeDesired,
  byDisplay,
  displayOf,
  entryOf,
  forbiddenAddress,
  objectsOf,
  skippedRecord,
  unreadable,
  fromDesiredRecord,
} from './desired-record.js';
import type { SecretBox } from '../desired/stream-secrets.js';
import type { FencedStore } from '../store/fenced-store.js';
import type { ChangedSubscription } from '../control/plan-report.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import { NetworkPolicy } from '../options/network-policy.js';
import type { DesiredEntry } from '../reconcile/observation.js';
import type { ClusterKeys } from '../store/cluster-keys.js';
import { isDeepStrictEqual } from 'node:util';
import { runInSlices, inChunks } from '../util/run-in-slices.js';
import { DescribedSubscriptions, type Described } from './described-subscriptions.js';
import { HashMirror } from './hash-mirror.js';

/** Displays and explicit subscriptions that could not be used unchanged. */
export interface Regeneration {
  readonly skipped: SkippedDisplay[];
  /** One line each: the subscription and its problem. */
  readonly unreadable: string[];
  /** One line for each hint that could not be used. */
  readonly hintProblems: string[];
  /** Subscriptions whose specification changed; null if subscriptions were added or removed, or the planner's hints changed. */
  readonly changed: readonly string[] | null;
}

/** Whether the entries are these objects. Then a large map does not need to be built again. */
async function hasExactly(
  entries: ReadonlyMap<string, DesiredEntry>,
  described: ReadonlyMap<string, Described>,
): Promise<boolean> {
  let same = entries.size === described.size;
  const compare = ([id, { entry }]: [string, Described]) => {
    same &&= entries.get(id) === entry;
  };
  await runInSlices(inChunks(described, compare));
  return same;
}

const listOf = (ids: string | readonly string[] = []): readonly string[] =>
  typeof ids === 'string' ? [ids] : ids;

/** What a preview does not know of a new subscription. */
const NEW_SUBSCRIPTION = { rtspUrl: '', createdAt: new Date(0).toISOString() } as const;

/** How long explicit subscriptions wait for the source. Milliseconds. */
const SLOW_SOURCE = 1_000;

/** The master's desired state: read again on every regeneration, kept in Redis for its successor. */
export class DesiredStateStore {
  private known = new Map<string, DesiredEntry>();
  /** Whether it has been read from its source in this term. Before that no stream may be stopped. */
  certain = false;

  /** Subscription → the hints that could not be used. */
  private readonly hintProblems = new Map<string, readonly string[]>();
  private readonly described: DescribedSubscriptions;
  /** Display → its subscriptions that come from the source; most displays have one, and need no list. */
  private displays = new Map<string, string | readonly string[]>();
  /** Explicit subscriptions by identifier. */
  private requested = new Map<string, Described>();
  private skippedRows = new Map<string, readonly SkippedDisplay[]>();
  private unreadable: string[] = [];
  private readonly desired: HashMirror;
  private readonly skipped: HashMirror;

  /**
   * @param readListeners resolves when all listeners announced before the call are known
   * @param box encrypts URLs; null when no secret is configured
   */
  constructor(
    store: FencedStore,
    keys: ClusterKeys,
    private readonly source: DesiredStateSource | null,
    private readonly explicit: ExplicitSubscriptionStore,
    private readonly readListeners: () => Promise<void>,
    private readonly box: SecretBox | null = null,
    private readonly hintsOf: PlacementHintsOf | null = null,
    private readonly networks = NetworkPolicy.default,
  ) {
    this.described = new DescribedSubscriptions(box, networks);
    this.desired = new HashMirror(store, keys.desired);
    this.skipped = new HashMirror(store, keys.skipped);
  }

  /**
   * Takes over the predecessor's desired state, so that workers keep running while the database is unavailable. Without a secret
   * Redis has no credentials: subscriptions that may have some are redacted until the database answers.
   */
  async load(redis: Redis): Promise<void> {
    const written = await this.desired.load(redis);
    await this.skipped.load(redis);
    const described = new Map<string, Described>();
    const known = new Map<string, DesiredEntry>();
    const take = (record: string) => {
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
      if (isReusable) described.set(id, { entry, record, completeHash: undefined });
    };
    await runInSlices(inChunks(written.values(), take));
    this.described.replace(described);
    this.known = known;
  }

  /** Desired subscriptions by identifier; a new map whenever subscriptions were added or removed. */
  get entries(): ReadonlyMap<string, DesiredEntry> {
    return this.known;
  }

  /**
   * The desired subscriptions as they would be if the source added some and no longer returned others; nothing is changed. An
   * explicit subscription remains when the source no longer returns it.
   */
  after(
    added: readonly ChangedSubscription[],
    removed: readonly string[],
  ): ReadonlyMap<string, DesiredEntry> {
    const entries = new Map(this.known);
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

  /** See {@link HashMirror.invalidate}. */
  invalidate(): void {
    this.desired.invalidate();
    this.skipped.invalidate();
  }

  /**
   * Reads the whole desired state again. Rejects when the source or Redis cannot be reached.
   * @param read reads the source; called once
   * @param onExplicit called when the source is slow and explicit subscriptions have been taken without it
   */
  async regenerate(
    read = (source: DesiredStateSource) => source.read(),
    onExplicit: () => void = () => undefined,
  ): Promise<Regeneration> {
    const explicit = await this.explicit.list();
    // A process announces its listener before it requests a camera, so the master must know it before it routes detections.
    if (!explicit.subscriptions.every(({ subscriptionIdentifier: id }) => this.entries.has(id)))
      await this.readListeners();
    let state: DesiredState;
    const slow = setTimeout(() => {
      this.addExplicit(explicit);
      onExplicit();
    }, SLOW_SOURCE);
    try {
      state = this.source === null ? { subscriptions: [], skipped: [] } : await read(this.source);
    } catch (error) {
      this.addExplicit(explicit);
      throw error;
    } finally {
      clearTimeout(slow);
    }
    const skipped = [...state.skipped];
    this.hintProblems.clear();
    const hashes = new Map(explicit.redacted.map(({ spec, hash }) => [spec, hash]));
    const requested = [...explicit.subscriptions, ...hashes.keys()];
    const stored = new Set(requested);
    const entries = objectsOf(state, skipped);
    const described = new Map<string, Described>();
    this.requested = new Map();
    this.displays = new Map();
    const take = (given: DesiredCameraSubscription) => {
      const checked = this.described.check(given, stored.has(given), hashes.get(given));
      if ('reason' in checked) {
        skipped.push(checked);
        return;
      }
      const { subscriptionIdentifier: id } = checked.entry.spec;
      described.set(id, checked);
      if (!stored.has(given)) this.addToDisplay(id);
    };
    const merged = await runInSlices(mergeDesired(entries, requested));
    await runInSlices(inChunks(merged.values(), take));
    for (const spec of requested) {
      const checked = this.described.check(spec, true, hashes.get(spec));
      if (!('reason' in checked)) this.requested.set(spec.subscriptionIdentifier, checked);
    }
    const changed = await this.write(described);
    this.skippedRows = byDisplay(skipped);
    await this.skipped.sync(
      new Map([...this.skippedRows].map(([display, rows]) => [display, skippedRecord(rows)])),
    );
    const sameHints = await this.take(described);
    this.unreadable = unreadable(explicit);
    const wasCertain = this.certain;
    this.certain = true;
    return this.regeneration(wasCertain && sameHints ? changed : null);
  }

  /**
   * Reads only the subscriptions that depend on the rows. Resolves with null, without any change, if everything must be read.
   * Rejects when the source or Redis cannot be reached.
   * @param read reads the source; called at most once
   */
  async regenerateSome(
    rows: ChangedRows,
    read: (source: Required<DesiredStateSource>, rows: ChangedRows) => Promise<DesiredState>,
  ): Promise<Regeneration | null> {
    if (!this.certain || this.source?.readSome === undefined) return null;
    const displays = await this.displaysOf(rows);
    if (displays.size > MOST_CHANGED_ROWS) return null;
    const state = await read(this.source as Required<DesiredStateSource>, {
      ...rows,
      displays: [...displays],
    });

    const skipped = [...state.skipped];
    const next = new Map<string, Described | null>();
    const found = new Map<string, string[]>();
    for (const given of objectsOf(state, skipped)) {
      const checked = this.described.check(given, false, undefined);
      if ('reason' in checked) {
        skipped.push(checked);
        continue;
      }
      const { subscriptionIdentifier: id } = checked.entry.spec;
      next.set(id, checked);
      found.set(displayOf(id), [...(found.get(displayOf(id)) ?? []), id]);
    }
    if (skipped.some(({ displayId }) => displayId === '')) return null;
    const nowSkipped = byDisplay(skipped);
    for (const display of new Set([...displays, ...found.keys(), ...nowSkipped.keys()])) {
      for (const id of listOf(this.displays.get(display)))
        if (!next.has(id)) next.set(id, this.requested.get(id) ?? null);
      displays.add(display);
    }

    await this.desired.apply(this.changesTo(next));
    const skips = [...displays].filter((id) => nowSkipped.has(id) || this.skippedRows.has(id));
    await this.skipped.apply(
      new Map(skips.map((id) => [id, nowSkipped.has(id) ? skippedRecord(nowSkipped.get(id)!) : null])),
    );
    for (const display of displays) {
      const ids = found.get(display);
      if (ids === undefined) this.displays.delete(display);
      else this.displays.set(display, ids.length === 1 ? ids[0]! : ids);
      const skip = nowSkipped.get(display);
      if (skip === undefined) this.skippedRows.delete(display);
      else this.skippedRows.set(display, skip);
    }
    return this.regeneration(await this.takeSome(next));
  }

  /** Makes these the desired subscriptions. Resolves with whether their hints are as before. */
  private async take(described: ReadonlyMap<string, Described>): Promise<boolean> {
    const before = this.known;
    if (this.hintsOf === null && (await hasExactly(before, described))) return true;
    const next = new Map<string, DesiredEntry>();
    let sameHints = true;
    const hint = ([id, { entry }]: [string, Described]) => {
      const hinted = this.hinted(entry);
      next.set(id, hinted);
      sameHints &&= this.sameHints(before.get(id), hinted);
    };
    await runInSlices(inChunks(described, hint));
    this.known = next;
    return sameHints;
  }

  private async displaysOf({ cameras = [], displays = [] }: ChangedRows): Promise<Set<string>> {
    const found = new Set(displays);
    if (cameras.length === 0) return found;
    const wanted = new Set(cameras);
    const look = (id: string) => {
      const cameraId = this.described.get(id)?.entry.cameraId;
      if (cameraId !== undefined && wanted.has(cameraId)) found.add(displayOf(id));
    };
    await runInSlices(inChunks(this.displays.values(), (ids) => listOf(ids).forEach(look)));
    return found;
  }

  private changesTo(next: ReadonlyMap<string, Described | null>): Map<string, string | null> {
    const changes = new Map<string, string | null>();
    for (const [id, described] of next)
      if (described === null) changes.set(id, null);
      else if (this.described.get(id) !== described || !this.desired.has(id))
        changes.set(id, described.record);
    return changes;
  }

  /** Returns the changed subscriptions; see {@link Regeneration.changed}. */
  private async takeSome(next: ReadonlyMap<string, Described | null>): Promise<string[] | null> {
    const isSame = [...next].every(([id, described]) => this.known.has(id) === (described !== null));
    if (!isSame) {
      // A caller that still uses the returned map must keep seeing its entries.
      const copy = new Map<string, DesiredEntry>();
      await runInSlices(inChunks(this.known, ([id, entry]) => copy.set(id, entry)));
      this.known = copy;
    }
    const changed: string[] = [];
    let sameHints = true;
    for (const [id, described] of next) {
      const before = this.known.get(id);
      if (described === null) {
        this.described.delete(id);
        this.known.delete(id);
        this.hintProblems.delete(id);
        continue;
      }
      const hinted = this.hinted(described.entry);
      sameHints &&= this.sameHints(before, hinted);
      if (before?.hash !== hinted.hash || before.redacted !== hinted.redacted) changed.push(id);
      this.described.set(id, described);
      this.known.set(id, hinted);
    }
    return isSame && sameHints ? changed : null;
  }

  private regeneration(changed: readonly string[] | null): Regeneration {
    return {
      skipped: [...this.skippedRows.values()].flat(),
      unreadable: this.unreadable,
      hintProblems: [...this.hintProblems.values()].flat(),
      changed,
    };
  }

  private addToDisplay(id: string): void {
    const display = displayOf(id);
    const others = this.displays.get(display);
    this.displays.set(display, others === undefined ? id : [...listOf(others), id]);
  }

  private sameHints(before: DesiredEntry | undefined, after: DesiredEntry): boolean {
    return this.hintsOf === null || isDeepStrictEqual(before?.hints, after.hints);
  }

  /** Keeps the objects of unchanged subscriptions. Returns the changed ones, or null if subscriptions were added or removed. */
  private async write(described: Map<string, Described>): Promise<string[] | null> {
    const changes = new Map<string, string | null>();
    const compare = ([id, each]: [string, Described]) => {
      if (this.described.get(id) !== each || !this.desired.has(id)) changes.set(id, each.record);
    };
    await runInSlices(inChunks(described, compare));
    const gone = (id: string) => {
      if (!described.has(id)) changes.set(id, null);
    };
    await runInSlices(inChunks(this.desired.fields(), gone));
    let sameIds = this.entries.size === described.size;
    const changed: string[] = [];
    const note = (id: string) => {
      sameIds &&= this.entries.has(id) && described.has(id);
      changed.push(id);
    };
    await runInSlices(inChunks(changes.keys(), note));
    this.described.replace(described);
    await this.desired.apply(changes);
    return sameIds ? changed : null;
  }

  /**
   * While the database is unavailable: explicit subscriptions do not need it. The database takes precedence for the same
   * identifier, so this takes only subscriptions that are new, or known except for their credentials.
   */
  private addExplicit({ subscriptions }: ExplicitSubscriptions): void {
    const entries = new Map(this.entries);
    for (const spec of subscriptions) {
      if (forbiddenAddress(spec, this.networks) !== null) continue;
      const entry = this.hinted(entryOf(spec, undefined, this.box?.hashKey));
      const known = entries.get(spec.subscriptionIdentifier);
      if (known === undefined || (known.redacted === true && known.hash === entry.hash))
        entries.set(spec.subscriptionIdentifier, entry);
    }
    this.known = entries;
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
