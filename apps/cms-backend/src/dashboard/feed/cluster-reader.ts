import type { Rows, SkippedRow, SubscriptionRow, WorkerRow } from '@detector-cluster/dashboard-protocol';
import type { ActualCameraSubscription, MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import { getOrInsertComputed, settlesWithin } from '@detector-cluster/election/internal';

type Followed = ReturnType<MasterSlaveWorkerCluster['view']['follow']>;

export type FollowedRecords = {
  readonly [Name in keyof Followed]: Pick<Followed[Name], 'read' | 'values'>;
};

/** How many subscriptions are read each time on average. If there are more, they are read less often. */
const SUBSCRIPTIONS_A_READING = 10_000;

/** The records of the master as rows, read repeatedly while a page is open. */
export class ClusterReader {
  private skippedRows: { readonly records: object; readonly rows: Rows<SkippedRow> } | null = null;
  private readingSubscriptions: Promise<void> | null = null;
  private known: KnownSubscriptions | null = null;
  private readingsUntilActual = 0;
  private models: ReadonlyMap<string, readonly string[]> = new Map();

  /**
   * @param capacities worker URL → most subscriptions, as far as this process knows
   * @param timeout how long a reading waits for the subscriptions, in milliseconds; if there are many, a later reading has them
   */
  constructor(
    private readonly records: FollowedRecords,
    private readonly capacities: () => ReadonlyMap<string, number>,
    private readonly timeout = 50,
  ) {}

  /** If Redis fails, the call rejects and keeps the earlier values. */
  async read(): Promise<void> {
    const { workers, assignments, skipped } = this.records;
    await Promise.all([workers.read(), assignments.read(), skipped.read(), this.followSubscriptions()]);
  }

  /** Null until they have been read once. */
  get subscriptions(): Rows<SubscriptionRow> | null {
    return this.known?.rows ?? null;
  }

  get skipped(): Rows<SkippedRow> {
    const { values } = this.records.skipped;
    if (this.skippedRows?.records !== values)
      this.skippedRows = {
        records: values,
        rows: rowsOf(values, (why, displayId) => ({ displayId, ...why })),
      };
    return this.skippedRows.rows;
  }

  workers(): Rows<WorkerRow> {
    const capacities = this.capacities();
    return rowsOf(this.records.workers.values, (record, url) => ({
      url,
      ...(record.name !== undefined && { name: record.name }),
      online: record.online,
      state: record.state,
      standing: record.standing,
      problem: record.problem,
      excess: record.excess,
      drainTotal: record.drainTotal,
      cpuUsage: rounded(record.cpuUsage),
      memoryUsage: rounded(record.memoryUsage),
      gpuUsage: rounded(record.gpuUsage),
      gpuMemoryUsage: rounded(record.gpuMemoryUsage),
      subscriptionCount: record.subscriptionCount,
      connectedAt: record.connectedAt || null,
      capacity: capacities.get(url) ?? null,
      models: this.models.get(url) ?? [],
    }));
  }

  /** Node id → partitions that it owns, in order. */
  partitions(): ReadonlyMap<string, readonly number[]> {
    const owned = new Map<string, number[]>();
    for (const [partition, owner] of this.records.assignments.values)
      getOrInsertComputed(owned, owner, () => []).push(Number(partition));
    for (const partitions of owned.values()) partitions.sort((a, b) => a - b);
    return owned;
  }

  /** A reading that takes longer continues in the background. If it fails there, the next call reads again. */
  private async followSubscriptions(): Promise<void> {
    this.readingSubscriptions ??= this.readSubscriptions().finally(() => (this.readingSubscriptions = null));
    const reading = this.readingSubscriptions;
    if (await settlesWithin(reading, this.timeout)) await reading;
  }

  private async readSubscriptions(): Promise<void> {
    if (this.readingsUntilActual-- > 0) return;
    const { subscriptions, models } = this.records;
    const records = await subscriptions.read();
    // A change of the model changes the stream. It appears in the desired state first, and later in the record of the subscription.
    if (this.known?.records !== records) {
      this.known = withModels(records, await models.read(), this.known);
      this.models = modelsByWorker(this.known.rows);
    }
    this.readingsUntilActual = Math.ceil(records.size / SUBSCRIPTIONS_A_READING) - 1;
  }
}

const rounded = (percent: number | null) => (percent === null ? null : Math.round(percent));

/** The object has no prototype, because names come from outside. */
function rowsOf<Record, Row>(
  records: ReadonlyMap<string, Record>,
  toRow: (record: Record, name: string) => Row,
): Rows<Row> {
  const rows = Object.create(null) as { [name: string]: Row };
  for (const [name, record] of records) rows[name] = toRow(record, name);
  return rows;
}

interface KnownSubscriptions {
  readonly records: ReadonlyMap<string, ActualCameraSubscription>;
  readonly rows: Rows<SubscriptionRow>;
}

/**
 * Unchanged rows stay the same objects.
 * @param models subscription → its model
 */
function withModels(
  records: KnownSubscriptions['records'],
  models: FollowedRecords['models']['values'],
  before: KnownSubscriptions | null,
): KnownSubscriptions {
  const rows = rowsOf(records, (record, subscriptionIdentifier): SubscriptionRow => {
    const { name: model = null, version = null } = models.get(subscriptionIdentifier) ?? {};
    const known = before?.rows[subscriptionIdentifier];
    const isSame = known?.model === model && known.version === version;
    if (isSame && before?.records.get(subscriptionIdentifier) === record) return known;
    const { assignedWorkerUrl: workerUrl, status, reason, detail = '', since } = record;
    return { subscriptionIdentifier, workerUrl, model, version, status, reason, detail, since };
  });
  return { records, rows };
}

/** Worker URL → the models that its subscriptions need, with the versions of their files, sorted. */
function modelsByWorker(subscriptions: Rows<SubscriptionRow>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { workerUrl, model, version } of Object.values(subscriptions)) {
    if (workerUrl === '' || model === null) continue;
    const name = version === null ? model : `${model} · ${version}`;
    getOrInsertComputed(found, workerUrl, () => new Set<string>()).add(name);
  }
  return new Map([...found].map(([url, names]) => [url, [...names].sort()]));
}
