import type { Redis } from 'ioredis';
import type { DesiredStateSource, SkippedDisplay } from '../desired/desired-state-source.js';
import type { ExplicitSubscriptionStore } from '../desired/explicit/explicit-subscription-store.js';
import { mergeDesired } from '../desired/merge-desired.js';
import { specHash } from '../desired/stream/spec-hash.js';
import type { FencedStore } from '../fence/fenced-store.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredEntry } from '../reconcile/observation.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import { HashMirror } from '../state/hash-mirror.js';

/** What should run, as the master knows it: read anew on every regeneration, kept in Redis for its successor. */
export class DesiredStateKeeper {
  entries: ReadonlyMap<string, DesiredEntry> = new Map();
  /** Whether it has been read from its source in this tenure. Before that nothing may be taken down. */
  certain = false;

  private readonly desired: HashMirror;
  private readonly skipped: HashMirror;

  constructor(
    store: FencedStore,
    keys: ClusterKeys,
    private readonly source: DesiredStateSource | null,
    private readonly explicit: ExplicitSubscriptionStore,
  ) {
    this.desired = new HashMirror(store, keys.desired);
    this.skipped = new HashMirror(store, keys.skipped);
  }

  /** Takes over what the predecessor wanted, so that workers keep running while the database is away. */
  async load(redis: Redis): Promise<void> {
    const written = await this.desired.load(redis);
    await this.skipped.load(redis);
    this.entries = entriesOf([...written.values()].flatMap(parseStored));
  }

  /** Reads the whole desired state again; returns what was skipped. Rejects when the source or Redis cannot be reached. */
  async regenerate(): Promise<SkippedDisplay[]> {
    const [{ subscriptions, skipped }, explicit] = await Promise.all([
      this.source?.read() ?? { subscriptions: [], skipped: [] },
      this.explicit.list(),
    ]);
    const merged = mergeDesired(subscriptions, explicit.subscriptions);
    const wanted = new Map<string, string>();
    for (const subscription of merged) {
      const { modelUrl: _secret, ...stored } = subscription;
      wanted.set(subscription.subscriptionIdentifier, JSON.stringify(stored));
    }
    await this.desired.sync(wanted);
    await this.skipped.sync(
      new Map(
        skipped.map((row) => [row.displayId, JSON.stringify({ reason: row.reason, detail: row.detail })]),
      ),
    );
    this.entries = entriesOf(merged);
    this.certain = true;
    return skipped;
  }
}

function entriesOf(subscriptions: readonly DesiredCameraSubscription[]): Map<string, DesiredEntry> {
  return new Map(
    subscriptions.map((spec) => [
      spec.subscriptionIdentifier,
      { spec, hash: specHash(spec), cameraId: parseSubscription(spec.subscriptionIdentifier).cameraId },
    ]),
  );
}

/** The field of a hash that somebody else may have written: unreadable ones count as absent. */
function parseStored(text: string): DesiredCameraSubscription[] {
  try {
    const value = JSON.parse(text) as DesiredCameraSubscription;
    parseSubscription(value.subscriptionIdentifier);
    return typeof value.rtspUrl === 'string' && typeof value.modelId === 'number' ? [value] : [];
  } catch {
    return [];
  }
}
