import type { Rows, SkippedRow, SubscriptionRow, WorkerRow } from '@detector-cluster/dashboard-protocol';
import type { ClusterKeys } from '@detector-cluster/detector-cluster/store';
import { hashPages } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { settlesWithin } from './settles-within.js';

/** The fields of a worker's record in Redis. The rest of its row comes from other sources. */
type WorkerRecord = Omit<WorkerRow, 'capacity' | 'models'>;

type SubscriptionRecord = Omit<SubscriptionRow, 'model'>;

const percent = z
  .number()
  .nullable()
  .transform((value) => (value === null ? null : Math.round(value)));

const worker = z.object({
  online: z.boolean(),
  state: z.enum(['Connecting', 'Ready', 'Suspect', 'Offline', 'Quarantined']),
  standing: z.enum(['open', 'cordoned', 'draining']),
  problem: z.string().nullable(),
  excess: z.object({ pauses: z.int(), dropped: z.int(), oversized: z.int() }).nullable(),
  // A master of an earlier version does not write it.
  drainTotal: z.int().nullable().default(null),
  cpuUsage: percent,
  memoryUsage: percent,
  gpuUsage: percent,
  gpuMemoryUsage: percent,
  subscriptionCount: z.int(),
  connectedAt: z.string().transform((at) => (at === '' ? null : at)),
});

const subscription = z.object({
  assignedWorkerUrl: z.string(),
  status: z.enum(['active', 'pending', 'failed', 'recovering']),
  reason: z.string(),
  since: z.string(),
});

const skipped = z.object({ reason: z.string(), detail: z.string() });

const desired = z.object({ modelName: z.string() });

/** A field of `worker:connections`. Here and below, null means that it cannot be read. */
function toWorker(url: string, text: string): WorkerRecord | null {
  const record = read(worker, text);
  return record && { url, ...record };
}

/** A field of `worker:actual_subscriptions`. */
function toSubscription(subscriptionIdentifier: string, text: string): SubscriptionRecord | null {
  const record = read(subscription, text);
  if (record === null) return null;
  const { assignedWorkerUrl: workerUrl, status, reason, since } = record;
  return { subscriptionIdentifier, workerUrl, status, reason, since };
}

/** A field of `worker:skipped_displays`. */
function toSkipped(displayId: string, text: string): SkippedRow | null {
  const record = read(skipped, text);
  return record && { displayId, ...record };
}

/** The model's name in a field of `worker:desired_subscriptions`. */
function toModelName(_subscriptionIdentifier: string, text: string): string | null {
  return read(desired, text)?.modelName ?? null;
}

function read<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

type HashReads = Pick<Redis, 'get' | 'hscan'>;

interface Field<Row> {
  readonly text: string;
  readonly row: Row | null;
}

/**
 * A hash of Redis as rows, read repeatedly. It parses only fields whose text has changed. This makes it cheap to read thousands of
 * fields each second.
 */
export class FollowedHash<Row> {
  private fields = new Map<string, Field<Row>>();
  private current: Rows<Row> = empty();
  /** The revision of {@link fields}; null if none is known. */
  private revision: string | null = null;

  /**
   * @param toRow returns null for a field that cannot be read, which gets no row
   * @param revisionKey what it holds changes with each change of the hash; left out: the hash is read each time
   */
  constructor(
    private readonly key: string,
    private readonly toRow: (field: string, text: string) => Row | null,
    private readonly revisionKey?: string,
  ) {}

  /** A new object after each reading that found a change, and only then. It has no prototype, because names come from outside. */
  get rows(): Rows<Row> {
    return this.current;
  }

  get size(): number {
    return this.fields.size;
  }

  /** Whether a field is new, has another text or no longer exists. If Redis fails, the call rejects and changes nothing. */
  async read(redis: HashReads): Promise<boolean> {
    // Before the hash: if that changes between both, the next call reads it again.
    const revision = this.revisionKey === undefined ? null : await redis.get(this.revisionKey);
    if (revision !== null && revision === this.revision) return false;
    const found = new Map<string, Field<Row>>();
    let changed = false;
    for await (const page of hashPages(redis, this.key))
      for (const [name, text] of page) {
        const known = this.fields.get(name);
        const same = known?.text === text;
        changed ||= !same;
        found.set(name, same ? known : { text, row: this.toRow(name, text) });
      }
    changed ||= found.size !== this.fields.size;
    this.fields = found;
    this.revision = revision;
    if (changed) this.current = rowsOf(found);
    return changed;
  }
}

function rowsOf<Row>(fields: ReadonlyMap<string, Field<Row>>): Rows<Row> {
  const rows = empty<Row>();
  for (const [name, { row }] of fields) if (row !== null) rows[name] = row;
  return rows;
}

function empty<Row>(): Record<string, Row> {
  return Object.create(null) as Record<string, Row>;
}

/** How many subscriptions are read each time on average. If there are more, they are read less often. */
const SUBSCRIPTIONS_A_READING = 10_000;

/** Reads the records of the master repeatedly while a page is open. */
export class ClusterReader {
  private readonly connections;
  private readonly assignments;
  private readonly actual;
  private readonly skippedDisplays;
  private readonly modelNames;
  private readingSubscriptions: Promise<void> | null = null;
  private known: KnownSubscriptions | null = null;
  private readingsUntilActual = 0;
  private modelsAreOld = false;
  private models: ReadonlyMap<string, readonly string[]> = new Map();

  /**
   * @param capacities worker URL → most subscriptions, as far as this process knows
   * @param timeout how long a reading waits for the subscriptions, in milliseconds; if there are many, a later reading has them
   */
  constructor(
    keys: Pick<
      ClusterKeys,
      'connections' | 'assignments' | 'actual' | 'actualRevision' | 'skipped' | 'desired'
    >,
    private readonly capacities: () => ReadonlyMap<string, number>,
    private readonly timeout = 50,
  ) {
    this.connections = new FollowedHash(keys.connections, toWorker);
    this.assignments = new FollowedHash(keys.assignments, (partition, owner) =>
      isPartition(partition) ? owner : null,
    );
    this.actual = new FollowedHash(keys.actual, toSubscription, keys.actualRevision);
    this.skippedDisplays = new FollowedHash(keys.skipped, toSkipped);
    this.modelNames = new FollowedHash(keys.desired, toModelName);
  }

  /** If Redis fails, the call rejects and keeps the earlier values. */
  async read(redis: HashReads): Promise<void> {
    await Promise.all([
      this.connections.read(redis),
      this.assignments.read(redis),
      this.skippedDisplays.read(redis),
      this.followSubscriptions(redis),
    ]);
  }

  /** Null until they have been read once. */
  get subscriptions(): Rows<SubscriptionRow> | null {
    return this.known?.rows ?? null;
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

  /** A reading that takes longer continues in the background. If it fails there, the next call reads again. */
  private async followSubscriptions(redis: HashReads): Promise<void> {
    this.readingSubscriptions ??= this.readSubscriptions(redis).finally(
      () => (this.readingSubscriptions = null),
    );
    const reading = this.readingSubscriptions;
    if (await settlesWithin(reading, this.timeout)) await reading;
  }

  private async readSubscriptions(redis: HashReads): Promise<void> {
    if (this.readingsUntilActual-- > 0) return;
    if (await this.actual.read(redis)) this.modelsAreOld = true;
    // A change of the model changes the stream. It appears in the desired state first, and later in the record of the subscription.
    if (this.modelsAreOld) {
      await this.modelNames.read(redis);
      this.known = withModels(this.actual.rows, this.modelNames.rows, this.known ?? NONE_KNOWN);
      this.models = modelsByWorker(this.known.rows);
      this.modelsAreOld = false;
    }
    this.known ??= NONE_KNOWN;
    this.readingsUntilActual = Math.ceil(this.actual.size / SUBSCRIPTIONS_A_READING) - 1;
  }
}

/** During an upgrade, a master of an earlier version may have written another format. */
function isPartition(field: string): boolean {
  return /^\d+$/.test(field);
}

interface KnownSubscriptions {
  readonly records: Rows<SubscriptionRecord>;
  readonly rows: Rows<SubscriptionRow>;
}

const NONE_KNOWN: KnownSubscriptions = { records: {}, rows: {} };

/**
 * Unchanged rows stay the same objects.
 * @param models subscription → name of its model
 */
function withModels(
  records: Rows<SubscriptionRecord>,
  models: Rows<string>,
  before: KnownSubscriptions,
): KnownSubscriptions {
  const rows = empty<SubscriptionRow>();
  for (const [id, record] of Object.entries(records)) {
    const model = models[id] ?? null;
    const known = before.rows[id];
    rows[id] = known?.model === model && before.records[id] === record ? known : { ...record, model };
  }
  return { records, rows };
}

/** Worker URL → names of the models that its subscriptions need, sorted. */
function modelsByWorker(subscriptions: Rows<SubscriptionRow>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { workerUrl, model } of Object.values(subscriptions)) {
    if (workerUrl === '' || model === null) continue;
    const names = found.get(workerUrl);
    if (names === undefined) found.set(workerUrl, new Set([model]));
    else names.add(model);
  }
  return new Map([...found].map(([url, names]) => [url, [...names].sort()]));
}
