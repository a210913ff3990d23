import type { Redis } from 'ioredis';
import type { DesiredState, DesiredStateSource, SkippedDisplay } from '../desired/desired-state-source.js';
import type {
  ExplicitSubscriptions,
  ExplicitSubscriptionStore,
} from '../desired/explicit/explicit-subscription-store.js';
import { checkedHints, type PlacementHintsOf } from '../desired/placement-hints.js';
import { checkedSubscription, isEntry } from '../desired/checked-subscription.js';
import { mergeDesired } from '../desired/merge-desired.js';
import type { SecretBox } from '../desired/secrets/secret-box.js';
import { specHash } from '../desired/stream/spec-hash.js';
import type { FencedStore } from '../fence/fenced-store.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import { NetworkPolicy } from '../networks/network-policy.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredEntry } from '../reconcile/observation.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import { isDeepStrictEqual } from 'node:util';
import { unhurried, withPauses } from '../util/breather.js';
import { HashMirror } from './hash-mirror.js';
import { fromDesiredRecord, toDesiredRecord } from './desired-record.js';

/** What could not be taken as it is: displays, and explicit subscriptions. */
export interface Regeneration {
  readonly skipped: SkippedDisplay[];
  /** One line each: the subscription and what is wrong with it. */
  readonly unreadable: string[];
  /** One line for each hint that could not be used. */
  readonly hintProblems: string[];
  /** What is desired otherwise than before; null where subscriptions have come or gone, or the planner was told something else. */
  readonly changed: readonly string[] | null;
}

/** An entry without its hints, and how it is written down. */
interface Described {
  readonly entry: DesiredEntry;
  readonly record: string;
  readonly withheldHash: string | undefined;
}

/** For so long what was asked for explicitly waits for the source. Milliseconds. */
const SLOW_SOURCE = 1_000;

/** What should run, as the master knows it: read anew on every regeneration, kept in Redis for its successor. */
export class DesiredStateKeeper {
  entries: ReadonlyMap<string, DesiredEntry> = new Map();
  /** Whether it has been read from its source in this tenure. Before that nothing may be taken down. */
  certain = false;

  private hintProblems: string[] = [];
  private described: ReadonlyMap<string, Described> = new Map();
  private readonly desired: HashMirror;
  private readonly skipped: HashMirror;

  /**
   * @param readListeners resolves when all that were announced before the call are known
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
    this.desired = new HashMirror(store, keys.desired);
    this.skipped = new HashMirror(store, keys.skipped);
  }

  /**
   * Takes over what the predecessor wanted, so that workers keep running while the database is unavailable. Without a secret Redis
   * has no credentials: subscriptions that may have some are withheld until the database answers.
   */
  async load(redis: Redis): Promise<void> {
    const written = await this.desired.load(redis);
    await this.skipped.load(redis);
    const known = [...written.values()].flatMap((record) =>
      fromDesiredRecord(record, this.box).map((read) => ({ ...read, record, withheldHash: undefined })),
    );
    // What has not changed since is not encrypted and written again, except what was written without a secret.
    const reusable = known.filter(
      ({ entry, sealed }) =>
        !entry.withheld &&
        sealed === (this.box !== null) &&
        forbiddenAddress(entry.spec, this.networks) === null,
    );
    this.described = new Map(reusable.map((each) => [each.entry.spec.subscriptionIdentifier, each]));
    this.entries = byId(known.map(({ entry }) => this.hinted(entry)));
  }

  /** See {@link HashMirror.doubt}. */
  doubt(): void {
    this.desired.doubt();
    this.skipped.doubt();
  }

  /**
   * Reads the whole desired state again. Rejects when the source or Redis cannot be reached.
   * @param read asks the source; called once
   * @param onExplicit called when the source takes long, and what was asked for explicitly has been taken without it
   */
  async regenerate(
    read = (source: DesiredStateSource) => source.read(),
    onExplicit: () => void = () => undefined,
  ): Promise<Regeneration> {
    const explicit = await this.explicit.list();
    // Whoever asks for a camera announces first that it listens: so nothing of it is routed before that is known.
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
    this.hintProblems = [];
    const hashes = new Map(explicit.withheld.map(({ spec, hash }) => [spec, hash]));
    const requested = [...explicit.subscriptions, ...hashes.keys()];
    const stored = new Set(requested);
    const entries = (state.subscriptions as readonly unknown[]).filter((entry) => {
      if (isEntry(entry)) return true;
      skipped.push({ displayId: '', reason: 'malformed-row', detail: 'the entry is no object' });
      return false;
    }) as DesiredCameraSubscription[];
    const described = new Map<string, Described>();
    const describe = (given: DesiredCameraSubscription) => {
      const spec = stored.has(given) || this.isKnown(given) ? given : checkedSubscription({ ...given });
      if ('reason' in spec) {
        skipped.push(spec);
        return;
      }
      const problem = hashes.has(spec) ? null : this.forbidden(spec);
      if (problem === null) described.set(spec.subscriptionIdentifier, this.describe(spec, hashes.get(spec)));
      else
        skipped.push({
          displayId: parseSubscription(spec.subscriptionIdentifier).displayId,
          reason: 'forbidden-address',
          detail: problem,
        });
    };
    const merged = await unhurried(mergeDesired(entries, requested));
    await unhurried(withPauses(merged.values(), describe));
    const changed = await this.write(described);
    await this.skipped.sync(
      new Map(
        skipped.map((row) => [row.displayId, JSON.stringify({ reason: row.reason, detail: row.detail })]),
      ),
    );
    const before = this.entries;
    const hintedEntries = new Map<string, DesiredEntry>();
    let sameHints = true;
    const take = ([id, { entry }]: [string, Described]) => {
      const hinted = this.hinted(entry);
      hintedEntries.set(id, hinted);
      sameHints &&= this.hintsOf === null || isDeepStrictEqual(before.get(id)?.hints, hinted.hints);
    };
    await unhurried(withPauses(described, take));
    this.entries = hintedEntries;
    const wasCertain = this.certain;
    this.certain = true;
    return {
      skipped,
      unreadable: unreadable(explicit),
      hintProblems: this.hintProblems,
      changed: wasCertain && sameHints ? changed : null,
    };
  }

  /** What has not changed is the same object as before. Returns what has, or null if subscriptions have come or gone. */
  private async write(described: ReadonlyMap<string, Described>): Promise<string[] | null> {
    const changes = new Map<string, string | null>();
    const compare = ([id, each]: [string, Described]) => {
      if (this.described.get(id) !== each || !this.desired.has(id)) changes.set(id, each.record);
    };
    await unhurried(withPauses(described, compare));
    const gone = (id: string) => {
      if (!described.has(id)) changes.set(id, null);
    };
    await unhurried(withPauses(this.desired.fields(), gone));
    const isKnown = (id: string) => this.entries.has(id) && described.has(id);
    const changed = [...changes.keys()].every(isKnown) && this.entries.size === described.size;
    this.described = described;
    await this.desired.apply(changes);
    return changed ? [...changes.keys()] : null;
  }

  /**
   * While the database is away: explicit subscriptions need it not. What it may say of the same identifier counts for
   * more, so only what is new, or known already but for its credentials, is taken.
   */
  private addExplicit({ subscriptions }: ExplicitSubscriptions): void {
    const entries = new Map(this.entries);
    for (const spec of subscriptions) {
      if (forbiddenAddress(spec, this.networks) !== null) continue;
      const entry = this.hinted(entryOf(spec, undefined, this.box?.hashKey));
      const known = entries.get(spec.subscriptionIdentifier);
      if (known === undefined || (known.withheld === true && known.hash === entry.hash))
        entries.set(spec.subscriptionIdentifier, entry);
    }
    this.entries = entries;
  }

  /** Whether it is as it was when it was checked. */
  private isKnown(spec: DesiredCameraSubscription): boolean {
    const before = this.described.get(spec.subscriptionIdentifier);
    return before !== undefined && sameSpec(before.entry.spec, spec);
  }

  /** What {@link described} holds is allowed. */
  private forbidden(spec: DesiredCameraSubscription): string | null {
    const before = this.described.get(spec.subscriptionIdentifier)?.entry.spec;
    if (before?.rtspUrl === spec.rtspUrl && before.snapshotUrl === spec.snapshotUrl) return null;
    return forbiddenAddress(spec, this.networks);
  }

  /** Most are as they were, and need neither be hashed nor be written anew. */
  private describe(spec: DesiredCameraSubscription, withheldHash: string | undefined): Described {
    const before = this.described.get(spec.subscriptionIdentifier);
    if (before !== undefined && before.withheldHash === withheldHash && sameSpec(before.entry.spec, spec))
      return before;
    const entry = entryOf(spec, withheldHash, this.box?.hashKey);
    return { entry, record: toDesiredRecord(entry, this.box), withheldHash };
  }

  private hinted(entry: DesiredEntry): DesiredEntry {
    if (this.hintsOf === null) return entry;
    const { hints, problems } = checkedHints(this.hintsOf, entry.spec);
    this.hintProblems.push(...problems.map((problem) => `${entry.spec.subscriptionIdentifier} (${problem})`));
    return Object.keys(hints).length === 0 ? entry : { ...entry, hints };
  }
}

/** The first URL of a camera whose host is in no allowed network, and why; null if there is none. */
export function forbiddenAddress(
  { rtspUrl, snapshotUrl }: DesiredCameraSubscription,
  networks: NetworkPolicy,
): string | null {
  for (const [field, url] of Object.entries({ rtspUrl, snapshotUrl })) {
    const problem = url === undefined ? null : networks.problemOf(url);
    if (problem !== null) return `${field}: ${problem}`;
  }
  return null;
}

/** @param withheldHash the hash of the whole subscription where `spec` is not the whole */
function entryOf(
  spec: DesiredCameraSubscription,
  withheldHash: string | undefined,
  hashKey: Buffer | undefined,
): DesiredEntry {
  return {
    // A copy: the source may change its objects, and hand out the same ones again.
    spec: { ...spec },
    hash: withheldHash ?? specHash(spec, hashKey),
    cameraId: parseSubscription(spec.subscriptionIdentifier).cameraId,
    ...(withheldHash !== undefined && { withheld: true }),
  };
}

function sameSpec(a: DesiredCameraSubscription, b: DesiredCameraSubscription): boolean {
  const keys = Object.keys(a) as (keyof DesiredCameraSubscription)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function byId(entries: readonly DesiredEntry[]): Map<string, DesiredEntry> {
  return new Map(entries.map((entry) => [entry.spec.subscriptionIdentifier, entry]));
}

function unreadable({ withheld, corrupt }: ExplicitSubscriptions): string[] {
  return [
    ...withheld.map(
      ({ spec }) =>
        `${spec.subscriptionIdentifier} (encrypted with a secret that this process does not have)`,
    ),
    ...corrupt.map(({ subscriptionIdentifier, detail }) => `${subscriptionIdentifier} (${detail})`),
  ];
}
