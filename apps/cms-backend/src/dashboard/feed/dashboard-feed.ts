import { DetectorCluster, type MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import { MasterElection } from '@detector-cluster/master-election';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { alertsKey } from '../../alerts/alert-record.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { DatabaseHealth } from '../../stores/database-health.js';
import { RedisHealth } from '../../stores/redis-health.js';
import { SharedRedis } from '../../stores/shared-redis.js';
import { ClusterReader } from './cluster-reader.js';
import type { Page } from '../page.js';
import { ProcessPulse } from '../pulse/process-pulse.js';
import { pulseChannel, PulseListener } from '../pulse/pulse-listener.js';
import { ClusterPicture } from './cluster-picture.js';
import { LiveFeed } from './live-feed.js';
import { MasterWatch } from './master-watch.js';

/** A feed, and its listeners on other parts. */
interface Running {
  readonly feed: LiveFeed;
  end(): void;
}

/** Feeds the pages of this process. Without a page it reads nothing and listens to no process. */
@Injectable()
export class DashboardFeed implements BeforeApplicationShutdown {
  private readonly logger = new Logger('dashboard');
  private running: Running | null = null;
  private ended = false;
  private ignored = 0;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly redis: SharedRedis,
    private readonly election: MasterElection,
    private readonly pulse: ProcessPulse,
    private readonly redisHealth: RedisHealth,
    private readonly databaseHealth: DatabaseHealth,
    private readonly master: MasterWatch,
    private readonly modules: ModuleRef,
  ) {}

  /** Pages that are fed now. */
  get pages(): number {
    return this.running?.feed.size ?? 0;
  }

  /** Messages between processes that could not be read, since the start. */
  get ignoredPulses(): number {
    return this.ignored;
  }

  join(page: Page): void {
    if (this.ended) return;
    this.running ??= this.start();
    this.running.feed.join(page);
  }

  leave(page: Page): void {
    this.running?.feed.leave(page);
    if (this.running?.feed.size === 0) this.stop();
  }

  beforeApplicationShutdown(): void {
    this.ended = true;
    this.stop();
  }

  private stop(): void {
    this.running?.end();
    this.running = null;
  }

  private start(): Running {
    const channel = pulseChannel(this.config);
    const ownId = this.election.getNodeId();
    const { cluster } = this.redis;
    const listener = new PulseListener({
      subscriber: this.redis.subscriber,
      channel,
      // The pulse of this process comes directly, so that it also arrives without Redis.
      onPulse: (pulse) => {
        if (pulse.process.processId !== ownId) picture.hear(pulse);
      },
      onInvalid: () => {
        if (this.ignored++ === 0)
          this.logger.warn(
            `ignored an invalid message on ${channel}; further ones are ignored without a warning`,
          );
      },
    });
    const picture = new ClusterPicture({
      redis: this.redis.commands,
      alerts: alertsKey(this.config.cluster.keyPrefix),
      reader: new ClusterReader(cluster.view.follow(), () => capacitiesOf(cluster)),
      cluster: this.modules.get(DetectorCluster, { strict: false }),
      listeningSince: () => listener.listeningSince,
      health: { redis: this.redisHealth, database: this.databaseHealth, master: this.master },
    });
    const endPulses = this.pulse.listen((pulse) => picture.hear(pulse));
    const feed = new LiveFeed(picture, ownId, this.config.clusterLabel);
    return {
      feed,
      end: () => {
        feed.end();
        endPulses();
        listener.close();
      },
    };
  }
}

function capacitiesOf({ workers }: MasterSlaveWorkerCluster): ReadonlyMap<string, number> {
  return new Map(workers.current.map(({ id, capacity }) => [id, capacity]));
}
