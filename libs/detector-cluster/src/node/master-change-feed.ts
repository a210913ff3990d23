import { MasterElection } from '@detector-cluster/master-election';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { MasterSlaveWorkerCluster } from './master-slave-worker-cluster.js';
import { CLUSTER_ELECTION, CLUSTER_OPTIONS } from '../options/detector-cluster-options.js';
import type { ResolvedDetectorClusterOptions } from '../options/resolve-options.js';
import { ChangeFeed, type ChangeFeedEvent } from '../sources/change-feed/change-feed.js';
import { loadPg, type PgModule } from '../sources/change-feed/feed-connection.js';
import { LOG_TOPICS, TopicLogger } from '../shared/topic-logger.js';

/**
 * The change feed of a process while it is master: only the master reads the desired state, so only it listens. If the
 * option is given and `pg` is missing, no process starts, because each may become master.
 */
@Injectable()
export class MasterChangeFeed implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new TopicLogger(LOG_TOPICS.cluster);
  private pg: PgModule | null = null;
  private feed: ChangeFeed | null = null;
  /** Feeds that are being closed. */
  private ending: Promise<void> = Promise.resolve();
  private outage = false;

  constructor(
    @Inject(CLUSTER_OPTIONS) private readonly options: ResolvedDetectorClusterOptions,
    @Inject(CLUSTER_ELECTION) private readonly election: MasterElection,
    private readonly cluster: MasterSlaveWorkerCluster,
  ) {}

  /** @throws MissingPgError */
  async onModuleInit(): Promise<void> {
    if (this.options.changeFeed === null) return;
    this.pg = await loadPg();
    this.election.on('master-acquired', () => this.begin());
    this.election.on('master-lost', () => this.end());
    if (this.election.lease !== null) this.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end();
    await this.ending;
  }

  private begin(): void {
    const { pg, options } = this;
    if (this.feed !== null || pg === null || options.changeFeed === null) return;
    this.feed = new ChangeFeed(pg, options.changeFeed, {
      onChange: (reason, rows) => this.cluster.regenerateSoon(reason, rows ?? undefined),
      onEvent: (event) => this.report(event),
    });
    this.feed.start();
  }

  private end(): void {
    const { feed } = this;
    if (feed === null) return;
    this.feed = null;
    this.ending = Promise.allSettled([this.ending, feed.stop()]).then(() => undefined);
  }

  /** Warns once per outage; further attempts are logged at debug level. */
  private report(event: ChangeFeedEvent): void {
    const consequence = `changes that no Prisma extension announces are read with the next read of everything, by default after 30 s`;
    if (event.type === 'listening') {
      if (this.outage) this.logger.log('listens to the database again');
      this.outage = false;
    } else if (event.type === 'lost') {
      const text = `cannot listen to the database: ${event.error.message}; next attempt in ${event.retryIn} ms`;
      if (this.outage) this.logger.debug(text);
      else this.logger.warn(`${text}; until then ${consequence}`);
      this.outage = true;
    } else if (event.problem === null) this.logger.log('is installed in the database now');
    else
      this.logger.error(
        `the change feed ${event.problem}: run installChangeFeed(client) of @detector-cluster/detector-cluster/change-feed with the same settings, once per database; until then ${consequence}`,
      );
  }
}
