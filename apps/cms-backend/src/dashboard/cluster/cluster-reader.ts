import type { Rows, SkippedRow, SubscriptionRow, WorkerRow } from '@detector-cluster/dashboard-protocol';
import type { ClusterKeys } from '@detector-cluster/detector-cluster/store';
import type { Redis } from 'ioredis';
import { FollowedHash } from './followed-hash.js';
import { toModelName, toSkipped, toSubscription, toWorker } from './records.js';

/** So many subscriptions are read each time on average: of more, the whole is read less often. */
const SUBSCRIPTIONS_A_READING = 10_000;

/** What the master has written of the cluster, read again and again while a page is open. */
export class ClusterReader {
  private readonly connections;
  private readonly assignments;
  private readonly actual;
  private readonly skippedDisplays;
  private readonly modelNames;
  private readingsUntilActual = 0;
  private modelsAreOld = false;
  private models: ReadonlyMap<string, readonly string[]> = new Map();

  /** @param capacities worker URL → most subscriptions, as far as this process knows */
  constructor(
    keys: Pick<ClusterKeys, 'connections' | 'assignments' | 'actual' | 'skipped' | 'desired'>,
    private readonly capacities: () => ReadonlyMap<string, number>,
  ) {
    this.connections = new FollowedHash(keys.connections, toWorker);
    this.assignments = new FollowedHash(keys.assignments, (partition, owner) =>
      isPartition(partition) ? owner : null,
    );
    this.actual = new FollowedHash(keys.actual, toSubscription);
    this.skippedDisplays = new FollowedHash(keys.skipped, toSkipped);
    this.modelNames = new FollowedHash(keys.desired, toModelName);
  }

  /** Rejects as Redis does; what was read before stays. */
  async read(redis: Pick<Redis, 'hscan'>): Promise<void> {
    await Promise.all([
      this.connections.read(redis),
      this.assignments.read(redis),
      this.skippedDisplays.read(redis),
      this.readSubscriptions(redis),
    ]);
  }

  get subscriptions(): Rows<SubscriptionRow> {
    return this.actual.rows;
  }

  get skipped(): Rows<SkippedRow> {
    return this.skippedDisplays.rows;
  }

  workers(): Rows<WorkerRow> {
    const capacities = this.capacities();
    const rows = Object.create(null) as Record<string, WorkerRow>;
    for (const [url, record] of Object.entries(this.connections.rows))
      rows[url] = {
        ...record,
        capacity: capacities.get(url) ?? null,
        models: this.models.get(url) ?? [],
      };
    return rows;
  }

  /** Node id → partitions that it owns, in order. */
  partitions(): ReadonlyMap<string, readonly number[]> {
    const owned = new Map<string, number[]>();
    for (const [partition, owner] of Object.entries(this.assignments.rows)) {
      const partitions = owned.get(owner);
      if (partitions === undefined) owned.set(owner, [Number(partition)]);
      else partitions.push(Number(partition));
    }
    for (const partitions of owned.values()) partitions.sort((a, b) => a - b);
    return owned;
  }

  private async readSubscriptions(redis: Pick<Redis, 'hscan'>): Promise<void> {
    if (this.readingsUntilActual-- > 0) return;
    if (await this.actual.read(redis)) this.modelsAreOld = true;
    // Another model is another stream, which shows in the record of the subscription, too, and later than in the wish for it.
    if (this.modelsAreOld) {
      await this.modelNames.read(redis);
      this.models = modelsByWorker(this.actual.rows, this.modelNames.rows);
      this.modelsAreOld = false;
    }
    this.readingsUntilActual = Math.ceil(this.actual.size / SUBSCRIPTIONS_A_READING) - 1;
  }
}

/** While processes are being upgraded, a master of an earlier version may have written something else there. */
function isPartition(field: string): boolean {
  return /^\d+$/.test(field);
}

/**
 * Worker URL → names of the models that its subscriptions need, sorted.
 * @param models subscription → name of its model
 */
function modelsByWorker(
  subscriptions: Rows<SubscriptionRow>,
  models: Rows<string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { subscriptionIdentifier, workerUrl } of Object.values(subscriptions)) {
    const model = models[subscriptionIdentifier];
    if (workerUrl === '' || model === undefined) continue;
    const names = found.get(workerUrl);
    if (names === undefined) found.set(workerUrl, new Set([model]));
    else names.add(model);
  }
  return new Map([...found].map(([url, names]) => [url, [...names].sort()]));
}
