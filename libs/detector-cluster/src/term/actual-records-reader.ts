import type { Redis } from 'ioredis';
import type { ActualCameraSubscription, TrackedSubscription } from '@detector-cluster/placement/internal';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { readFields } from '../shared/hash-mirror.js';
import { parsedJson } from '../shared/read-json.js';
import { SharedStrings } from '../shared/shared-strings.js';

/** What a master has recorded of each subscription, by identifier. */
export interface ActualRecords {
  /** The records as they are in Redis. */
  readonly written: Map<string, string>;
  readonly tracked: Map<string, TrackedSubscription>;
  /** When a report last showed the stream. Milliseconds since 1970. */
  readonly lastSeen: Map<string, number>;
  /** The last model URLs, without secrets. */
  readonly modelUrls: Map<string, string>;
}

/** Records that no term has asked for by then are forgotten: they can be large. Milliseconds. */
const KEPT = 10_000;

/** Reads the records of a master for its successor, already while it is absent. */
export class ActualRecordsReader {
  private ahead: {
    readonly revision: Promise<string | null>;
    readonly records: Promise<ActualRecords | null>;
  } | null = null;
  private forgetting: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly keys: Pick<ClusterKeys, 'actual' | 'actualRevision'>,
  ) {}

  /** Begins to read, because this process may soon be master. */
  readAhead(): void {
    if (this.ahead !== null) return;
    // Before the records: if they change while they are read, the revision is not the one that `read` finds.
    const revision = this.revision().catch(() => null);
    this.ahead = { revision, records: revision.then(() => this.readAll()).catch(() => null) };
    this.forgetting = setTimeout(() => (this.ahead = null), KEPT).unref();
  }

  /** The records; none may be written any more except by the caller. Rejects as Redis does. */
  async read(): Promise<ActualRecords> {
    const { ahead } = this;
    this.ahead = null;
    clearTimeout(this.forgetting);
    const revision = await ahead?.revision;
    const isCurrent = typeof revision === 'string' && revision === (await this.revision());
    return (isCurrent ? await ahead?.records : null) ?? (await this.readAll());
  }

  private revision(): Promise<string | null> {
    return this.redis.get(this.keys.actualRevision);
  }

  private async readAll(): Promise<ActualRecords> {
    const [tracked, lastSeen, modelUrls] = [
      new Map<string, TrackedSubscription>(),
      new Map<string, number>(),
      new Map<string, string>(),
    ];
    const strings = new SharedStrings();
    const take = ([id, text]: [string, string]) => {
      const record = fromActual(text, strings);
      if (record === null) return;
      if (record.modelUrl !== '') modelUrls.set(id, record.modelUrl);
      if (record.lastSeen !== null) lastSeen.set(id, record.lastSeen);
      tracked.set(id, record.tracked);
    };
    return { written: await readFields(this.redis, this.keys.actual, take), tracked, lastSeen, modelUrls };
  }
}

interface ReadActual {
  /** The part of the previous master's memory that is still valid. */
  readonly tracked: TrackedSubscription;
  readonly lastSeen: number | null;
  readonly modelUrl: string;
}

/** Null when the record is unreadable. A new master reads all of them, so nothing is copied. */
export function fromActual(text: string, strings = new SharedStrings()): ReadActual | null {
  const record = parsedJson(text) as Partial<ActualCameraSubscription> | null | undefined;
  if (typeof record?.assignedWorkerUrl !== 'string') return null;
  const statuses = ['active', 'pending', 'failed', 'recovering'] as const;
  const tracked = {
    workerUrl: strings.of(record.assignedWorkerUrl),
    specHash: specHashOf(record),
    sentAt: null,
    attempts: 0,
    offline: null,
    confirmed: record.status === 'active',
    holder: typeof record.holder === 'string' ? strings.of(record.holder) : '',
    status: statuses.find((status) => status === record.status) ?? 'pending',
    reason: typeof record.reason === 'string' ? strings.of(record.reason) : '',
    ...(typeof record.detail === 'string' && { detail: strings.of(record.detail) }),
    since: time(record.since),
    assignedAt: time(record.assignedAt),
  };
  return {
    tracked,
    lastSeen: time(record.lastSeen) || null,
    modelUrl: typeof record.modelUrl === 'string' ? strings.of(record.modelUrl) : '',
  };
}

/** A hash that matches no specification: a successor cannot know that the command reached the worker, so it sends it again. */
function specHashOf({ specHash, unconfirmed }: Partial<ActualCameraSubscription>): string {
  if (unconfirmed === true) return 'unconfirmed';
  return typeof specHash === 'string' ? specHash : '';
}

/** 0 if the text is not a time. */
const time = (value: unknown): number =>
  typeof value === 'string' && value !== '' ? Date.parse(value) || 0 : 0;
