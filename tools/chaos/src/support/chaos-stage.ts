import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import {
  endsOfLogs,
  get,
  LocalCluster,
  type ClusterStateAnswer,
  type SubscriptionAnswer,
  type WorkerStatsAnswer,
} from '@detector-cluster/local-cluster';
import type { Figures, ScenarioContext } from '../scenario.js';
import { fillDatabase, type Filling } from './fill-database.js';
import { until } from './until.js';
import { WorkerHost, type WorkerHostOptions } from './worker-host.js';
import { WorkerLink, type WorkerLinkOptions } from './worker-link.js';

export interface ChaosStageOptions extends Filling {
  readonly backends: number;
  readonly hosts: readonly WorkerHostOptions[];
  /** Whether the scenario disturbs Redis and therefore needs a private one. Its data are lost when it dies. */
  readonly ownRedis?: boolean;
  readonly link?: WorkerLinkOptions;
  /** Relative to the root of the repository. Default: the reference service. */
  readonly backendScript?: string;
  readonly backendEnv?: Readonly<Record<string, string>>;
  /** Runs before the backends start. Returns environment variables for them that depend on the servers. */
  readonly prepare?: (
    databaseUrl: string,
    cluster: LocalCluster,
  ) => Promise<Readonly<Record<string, string>>>;
}

const TIMEOUT = 60_000;

/** A whole cluster for fault injection: servers, backends, and workers behind links. */
export class ChaosStage {
  readonly hosts: WorkerHost[] = [];
  readonly links: WorkerLink[] = [];

  private constructor(
    private readonly context: ScenarioContext,
    readonly cluster: LocalCluster,
    /** Undefined unless the scenario has a Redis of its own. */
    readonly redis: RedisService | undefined,
  ) {}

  /** Runs `work` on a stage and always takes it down afterwards. Shows the backends' logs if a promise broke. */
  static async with(
    context: ScenarioContext,
    options: ChaosStageOptions,
    work: (stage: ChaosStage) => Promise<Figures>,
  ): Promise<Figures> {
    const redis = options.ownRedis ? await startRedis() : undefined;
    let stage: ChaosStage | undefined;
    let ok = false;
    try {
      const cluster = await LocalCluster.start({
        backends: 0,
        workers: 0,
        seed: false,
        redisUrl: redis?.url ?? context.redisUrl,
        databaseUrl: context.databaseUrl,
        backendScript: context.backendScript ?? options.backendScript,
        backendEnv: { ELECTION_TIMING: 'fast', ...options.backendEnv },
      });
      stage = new ChaosStage(context, cluster, redis);
      await stage.build(options);
      const figures = await work(stage);
      ok = figures.ok;
      return figures;
    } finally {
      if (stage !== undefined && !ok && !context.signal.aborted)
        context.progress(`what the backends logged last:\n${await endsOfLogs(stage.cluster.backends)}`);
      await stage?.stop();
      await redis?.stop();
    }
  }

  /** The state of every subscription by identifier. */
  async subscriptions(): Promise<Map<string, SubscriptionAnswer>> {
    const { subscriptions } = await this.cluster.subscriptions();
    return new Map(subscriptions.map((each) => [each.subscriptionIdentifier, each]));
  }

  /** Subscription → its assigned worker, if any. */
  async placements(): Promise<Map<string, string>> {
    const subscriptions = await this.subscriptions();
    return new Map(
      [...subscriptions].flatMap(([id, { assignedWorkerUrl }]) =>
        assignedWorkerUrl === '' ? [] : [[id, assignedWorkerUrl] as const],
      ),
    );
  }

  /** Waits until exactly this many subscriptions are desired and all of them run. */
  async allActive(count: number, timeout = TIMEOUT): Promise<void> {
    await until(this.context.signal, `${count} active subscriptions`, timeout, async () => {
      const all = [...(await this.subscriptions()).values()];
      const active = all.filter(({ status }) => status === 'active').length;
      if (active === count && all.length === count) return true;
      throw new Error(`${active} of ${all.length} subscriptions are active`);
    });
  }

  /** Waits until the master reports every worker as online; `isFresh` decides whether the report is current. */
  async allReady(
    isFresh: (worker: ClusterStateAnswer['workers'][number]) => boolean = () => true,
    timeout = TIMEOUT,
  ): Promise<void> {
    await until(this.context.signal, 'all workers ready', timeout, async () => {
      const { workers } = await this.cluster.state();
      const ready = workers.filter((worker) => worker.state === 'Ready' && isFresh(worker)).length;
      if (ready === this.links.length) return true;
      throw new Error(`${ready} of ${this.links.length} workers are ready`);
    });
  }

  stats<T = WorkerStatsAnswer>(link: WorkerLink): Promise<T> {
    return get<T>(link.workerUrl, '/stats', TIMEOUT);
  }

  /** Subscribe and unsubscribe commands that workers have carried out since they were started. */
  async commandsTaken(links: readonly WorkerLink[] = this.links): Promise<number> {
    const stats = await Promise.all(links.map((link) => this.stats(link)));
    return stats.reduce(
      (sum, { commands: { accepted, stale } }) =>
        sum + [accepted, stale].reduce((n, by) => n + (by.subscribe ?? 0) + (by.unsubscribe ?? 0), 0),
      0,
    );
  }

  private async build(options: ChaosStageOptions): Promise<void> {
    const { cluster, context } = this;
    const workers = options.hosts.reduce((sum, host) => sum + host.workers, 0);
    context.progress(`starting ${workers} workers and ${options.backends} backends`);
    await fillDatabase(cluster.databaseUrl, options);
    const env = await options.prepare?.(cluster.databaseUrl, cluster);
    for (const host of options.hosts) this.hosts.push(await WorkerHost.start(host));
    for (const { ports } of this.hosts)
      for (const port of ports) this.links.push(await WorkerLink.open(port, options.link));
    const DETECTOR_WORKERS = this.links.map(({ url }) => url).join(',');
    await Promise.all(
      Array.from({ length: options.backends }, () => cluster.addBackend({ ...env, DETECTOR_WORKERS })),
    );
    await this.allActive(options.cameras);
    await this.allReady();
    context.progress(`${options.cameras} subscriptions are active on ${workers} workers`);
  }

  private async stop(): Promise<void> {
    await this.cluster.stop();
    for (const link of this.links) link.close();
    await Promise.all(this.hosts.map((host) => host.stop()));
  }
}
