import { type AlertRecord, readAlertRecord } from '../../alerts/alert-record.js';
import { alertRows, receiverRows } from '../../alerts/alert-rows.js';
import type { DashboardView, Rows, SourceRow } from '@detector-cluster/dashboard-protocol';
import type {
  ClusterFreshness,
  DetectorCluster,
  ModelVersions,
  RebalanceProgress,
} from '@detector-cluster/detector-cluster';
import { toError } from '@detector-cluster/election/internal';
import { describeUnavailable } from '@detector-cluster/election/internal/redis';
import { StoreError, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { DatabaseHealth } from '../../stores/database-health.js';
import type { DependencyStatus } from '../../health/dependency-monitor.js';
import type { RedisHealth } from '../../stores/redis-health.js';
import { PulseBoard } from '../pulse/pulse-board.js';
import type { Pulse } from '../pulse/pulse.schema.js';
import type { ClusterReader } from './cluster-reader.js';
import { DetectionLog } from './detection-log.js';
import { EventLog } from './event-log.js';
import type { MasterWatch } from './master-watch.js';

/** Time until a connection that was just opened accepts commands. Milliseconds. */
const CONNECTING = 500;

const MASTER_PROBLEM = 'The elected process may be frozen, cut off from Redis, or of another application.';

export interface ClusterPictureParts {
  readonly redis: Redis;
  /** Key of the alerts of the master. */
  readonly alerts: string;
  readonly reader: ClusterReader;
  readonly cluster: Pick<DetectorCluster, 'getFreshness' | 'getModels' | 'getRebalance' | 'listEvents'>;
  /** See {@link PulseBoard.rows}. */
  readonly listeningSince: () => number | null;
  readonly health: {
    readonly redis: Pick<RedisHealth, 'check' | 'status'>;
    readonly database: Pick<DatabaseHealth, 'check' | 'status'>;
    readonly master: Pick<MasterWatch, 'status'>;
  };
}

/** The cluster as a page shows it: the records in Redis, combined with the reports of the processes about themselves. */
export class ClusterPicture {
  readonly events: EventLog;
  readonly detections = new DetectionLog();
  private readonly processes = new PulseBoard();
  private asking: Promise<unknown> | null = null;
  /** Why Redis refuses what the master writes, if it does. */
  private refusal: string | null = null;
  /** Redis answers, but cannot be read. */
  private unreadable: DependencyStatus | null = null;
  private freshness: ClusterFreshness = { asOf: null, stale: false };
  private models: readonly ModelVersions[] = [];
  private rebalance: RebalanceProgress | null = null;
  private alerts: AlertRecord = readAlertRecord(null);

  constructor(private readonly parts: ClusterPictureParts) {
    this.events = new EventLog((page) => parts.cluster.listEvents(page));
  }

  hear(pulse: Pulse): void {
    this.processes.hear(pulse, performance.now());
    this.detections.add(pulse);
  }

  /** Reads everything again. Never rejects: a part that cannot be read keeps its last value, and {@link view} says so. */
  async look(): Promise<void> {
    const { redis, database } = this.parts.health;
    // Does not wait for the database. If the database hangs, the page still gets the rest.
    this.asking ??= database.check().finally(() => (this.asking = null));
    if ((await redis.check()) === null) await this.read();
  }

  view(): DashboardView {
    const { reader, health } = this.parts;
    const sources = {
      redis: this.unreadable ?? health.redis.status,
      database: health.database.status,
      master: this.masterStatus(),
    };
    return {
      workers: reader.workers(),
      processes: this.processes.rows(performance.now(), this.listeningSince(), reader.partitions()),
      subscriptions: reader.subscriptions,
      skipped: reader.skipped,
      models: Object.fromEntries(this.models.map((row) => [`${row.modelId} ${row.modelName}`, row])),
      rebalances: this.rebalance === null ? {} : { [this.rebalance.since]: this.rebalance },
      alerts: alertRows(this.alerts, { ...sources, elected: health.master.status.ok }),
      receivers: receiverRows(this.alerts),
      sources: sourceRows(sources),
    };
  }

  /** A frozen Redis keeps its connections, and delivers nothing. */
  private listeningSince(): number | null {
    const since = this.parts.listeningSince();
    const { ok, since: answersSince } = this.parts.health.redis.status;
    if (since === null || !ok) return null;
    return Math.max(since, performance.now() - (Date.now() - answersSince));
  }

  /** If the elected master does not write, the state in Redis becomes stale. */
  private masterStatus(): DependencyStatus {
    const { status } = this.parts.health.master;
    const { asOf, stale } = this.freshness;
    if (!status.ok || !stale) return status;
    const since = asOf === null ? status.since : Date.parse(asOf);
    return { ok: false, since, problem: this.refusal ?? MASTER_PROBLEM };
  }

  private async read(): Promise<void> {
    const { redis, reader } = this.parts;
    try {
      await whenReady(redis, CONNECTING);
      let alerts: string | null;
      [this.freshness, this.models, this.rebalance, alerts] = await Promise.all([
        this.parts.cluster.getFreshness(),
        this.parts.cluster.getModels(),
        this.parts.cluster.getRebalance(),
        redis.get(this.parts.alerts),
        reader.read(),
        this.events.read(),
      ]);
      this.alerts = readAlertRecord(alerts);
      this.refusal = this.freshness.stale ? await refusalOf(redis) : null;
      this.unreadable = null;
    } catch (error) {
      const since = this.unreadable?.since ?? Date.now();
      this.unreadable = { ok: false, since, problem: toError(error).message };
    }
  }
}

/** Why Redis refuses writes, as far as its user may know; null: it does not say so. */
async function refusalOf(redis: Redis): Promise<string | null> {
  const info = await redis.info().catch(() => '');
  const figure = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const most = Number(figure('maxmemory') ?? 0);
  if (most > 0 && Number(figure('used_memory')) >= most)
    return describeUnavailable(new StoreError('OOM', ''));
  const failed = ['aof_last_write_status', 'rdb_last_bgsave_status'].some((name) => figure(name) === 'err');
  return failed ? describeUnavailable(new StoreError('MISCONF', '')) : null;
}

/** The age of the picture, as the page shows it. */
function sourceRows(sources: Readonly<Record<SourceRow['name'], DependencyStatus>>): Rows<SourceRow> {
  const entries = Object.entries(sources) as [SourceRow['name'], DependencyStatus][];
  return Object.fromEntries(
    entries.map(([name, { since, ...status }]) => [
      name,
      { name, ...status, since: new Date(since).toISOString() },
    ]),
  );
}
