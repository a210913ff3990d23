import {
  type RedisService,
  startRedis,
  type StartRedisOptions,
  tempDirectory,
  withPostgres,
  withRedis,
} from '@detector-cluster/dev-services';
import {
  type AppProcess,
  type ClusterStateAnswer,
  commandsTaken,
  endsOfLogs,
  get,
  LocalCluster,
  partitionStreamPrefix,
  request,
  startApp,
  type SubscriptionAnswer,
} from '@detector-cluster/local-cluster';
import { checkHistory, type Findings, type History, type HistoryHeader } from '@detector-cluster/history';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figures, ScenarioContext } from '../scenario.js';
import { StarvationWatch } from './starvation-watch.js';
import { LIMIT, until } from './until.js';
import { type LinkOptions, NetworkLink } from './network-link.js';
import { WorkerLink } from './worker-link.js';

interface WorkerHostOptions {
  readonly name: string;
  readonly workers: number;
  /** Default: reference workers. */
  readonly script?: string;
  /** Environment of every worker, e.g. `DETECTIONS_PER_SECOND`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const WORKER_HOST = 'tools/chaos/dist/bundle/worker-host.child.js';

/** A process that runs many reference workers. Each keeps its port over restarts. */
class WorkerHost {
  private constructor(
    readonly process: AppProcess,
    readonly ports: readonly number[],
    private readonly directory: string,
  ) {}

  static async start(
    { name, workers, env = {}, script = WORKER_HOST }: WorkerHostOptions,
    history: string,
  ): Promise<WorkerHost> {
    const directory = await tempDirectory(name);
    const host = await startApp({
      name,
      script,
      readyPath: '/',
      env: {
        ...env,
        HISTORY: history,
        HOST_NAME: name,
        WORKERS: String(workers),
        PORTS_FILE: join(directory, 'ports.json'),
        CONTROL: 'on',
      },
    });
    return new WorkerHost(host, await get<number[]>(host.url, '/'), directory);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export interface ChaosStageOptions {
  /** `camera-1` … and `display-1` …, one display per camera. */
  readonly cameras: number;
  /** Further cameras without a display. Default 0. */
  readonly spareCameras?: number;
  readonly backends: number;
  readonly hosts: readonly WorkerHostOptions[];
  /** The scenario disturbs Redis and therefore needs a private one. Its data are lost when it dies unless these options prevent it. */
  readonly ownRedis?: StartRedisOptions;
  readonly link?: LinkOptions;
  /** Whether each backend reaches Redis through a link of its own. Only with `ownRedis`. Default false. */
  readonly redisLinks?: boolean;
  /** Whether the backends write what they do into the history. Default false: they are the reference service. */
  readonly journal?: boolean;
  /** What the history has to show. Default: no worker carries out a command of a former master. */
  readonly promised?: Pick<HistoryHeader, 'acceptance' | 'promises'>;
  readonly backendEnv?: Readonly<Record<string, string>>;
  /** Command that runs each backend in surroundings of its own, and becomes it. Default none. */
  readonly backendPrefix?: readonly string[];
  /** Runs before the backends start. Returns environment variables for them that depend on the servers. */
  readonly prepare?: (stage: ChaosStage) => Promise<Readonly<Record<string, string>>>;
}

/** Script of backends that write into the history named in their environment as HISTORY. */
export const JOURNALLED_BACKEND = 'tools/chaos/dist/bundle/journalled-backend.child.js';

/** A whole cluster for fault injection: servers, backends, and workers behind links. */
export class ChaosStage {
  readonly hosts: WorkerHost[] = [];
  readonly links: WorkerLink[] = [];
  /** One for each backend, if the scenario wanted them. */
  readonly redisLinks: NetworkLink[] = [];
  private concluded: Findings | undefined;

  private constructor(
    private readonly context: ScenarioContext,
    readonly cluster: LocalCluster,
    /** Undefined unless the scenario has a Redis of its own. */
    readonly redis: RedisService | undefined,
    /** What the processes have written. */
    readonly history: History,
  ) {}

  /**
   * Ends the history, and checks it. Only the first call counts.
   * @param faults after which detections may be delivered again
   */
  conclude(faults = 0): Findings {
    if (this.concluded === undefined) {
      this.history.write({ end: { at: Date.now(), faults } });
      this.history.read();
      this.concluded = checkHistory(this.history);
    }
    return this.concluded;
  }

  /** Runs `work` on a stage and always takes it down afterwards. Shows the backends' logs if a promise broke. */
  static async with(
    context: ScenarioContext,
    options: ChaosStageOptions,
    work: (stage: ChaosStage) => Promise<Figures>,
  ): Promise<Figures> {
    const redis = options.ownRedis && (await startRedis(options.ownRedis));
    const history = context.histories.begin(
      options.promised ?? { acceptance: 'none', promises: ['staleCommands'] },
    );
    let stage: ChaosStage | undefined;
    let starvation: StarvationWatch | undefined;
    let ok = false;
    try {
      const cluster = await LocalCluster.start({
        backends: 0,
        workers: 0,
        seed: false,
        redisUrl: redis?.url ?? context.redisUrl,
        databaseUrl: context.databaseUrl,
        backendScript: context.backendScript ?? (options.journal ? JOURNALLED_BACKEND : undefined),
        backendPrefix: options.backendPrefix,
        backendEnv: {
          ELECTION_TIMING: 'fast',
          ...options.backendEnv,
          ...(options.journal && { HISTORY: history.path }),
        },
      });
      stage = new ChaosStage(context, cluster, redis, history);
      await stage.build(options);
      const { hosts } = stage;
      starvation = new StarvationWatch(
        () =>
          [...cluster.backends, ...hosts.map((host) => host.process), ...(redis ? [redis] : [])].map(
            ({ pid }) => pid,
          ),
        history,
      );
      const figures = await work(stage);
      const { broken } = stage.conclude();
      ok = figures.ok && broken.length === 0;
      return { ...figures, ok, ...(broken.length > 0 && { broken, history: history.path }) };
    } finally {
      starvation?.end();
      if (stage !== undefined && !ok && !context.signal.aborted)
        context.progress(`what the backends logged last:\n${await endsOfLogs(stage.cluster.backends)}`);
      await stage?.stop();
      await redis?.stop();
      history.close();
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
  async allActive(count: number, limit = LIMIT): Promise<void> {
    await until(
      this.context.signal,
      `${count} active subscriptions`,
      async () => {
        const all = [...(await this.subscriptions()).values()];
        const active = all.filter(({ status }) => status === 'active').length;
        if (active === count && all.length === count) return true;
        throw new Error(`${active} of ${all.length} subscriptions are active`);
      },
      limit,
    );
  }

  /** Waits until the master reports every worker as online; `isFresh` decides whether the report is current. */
  async allReady(
    isFresh: (worker: ClusterStateAnswer['workers'][number]) => boolean = () => true,
    limit = LIMIT,
    states: readonly string[] = ['Ready'],
  ): Promise<void> {
    await until(
      this.context.signal,
      'all workers ready',
      async () => {
        const { workers } = await this.cluster.state();
        const ready = workers.filter((worker) => states.includes(worker.state) && isFresh(worker)).length;
        if (ready === this.links.length) return true;
        throw new Error(`${ready} of ${this.links.length} workers are ready`);
      },
      limit,
    );
  }

  /** The streams that run at the workers. A stream that was opened again is another one. */
  async streams(): Promise<Set<string>> {
    const reports = await Promise.all(
      this.links.map(async (link) => ({ url: link.url, ...(await link.stats()) })),
    );
    return new Set(
      reports.flatMap(({ url, streams }) => streams.map(({ streamId }) => `${url} ${streamId}`)),
    );
  }

  /** How many entries are in the logs of partitions. */
  async pending(): Promise<number> {
    return [...(await this.logLengths()).values()].reduce((sum, length) => sum + length, 0);
  }

  /** The key of each partition's log → how many entries it has. */
  logLengths(): Promise<Map<string, number>> {
    const { keyPrefix, redis } = this.cluster;
    const { hostname: host, port } = new URL(redis.url);
    return withRedis({ host, port: Number(port) }, async (client) => {
      const logs = await client.keys(`${partitionStreamPrefix(keyPrefix)}{*}`);
      return new Map(await Promise.all(logs.map(async (log) => [log, await client.xlen(log)] as const)));
    });
  }

  /** Subscribe and unsubscribe commands that workers have carried out since they were started. */
  commandsTaken(links: readonly WorkerLink[] = this.links): Promise<number> {
    return commandsTaken(links.map(({ workerUrl }) => workerUrl));
  }

  /** Waits until workers have received no command for `quiet` ms. Returns how many they have received. */
  async commandsSettled(quiet: number): Promise<number> {
    let [last, since] = [-1, performance.now()];
    await until(this.context.signal, 'no more commands', async () => {
      const taken = await this.commandsTaken();
      if (taken !== last) [last, since] = [taken, performance.now()];
      return performance.now() - since > quiet;
    });
    return last;
  }

  /** Lets an operator act on a worker, through one of the backends. */
  async operate(
    what: 'cordon' | 'uncordon' | 'drain',
    { url }: WorkerLink,
    backend = this.cluster.backends[0]!.url,
  ): Promise<true> {
    const path = `/api/cluster/workers/${encodeURIComponent(url)}/${what}`;
    await request(backend, 'POST', path, {}, 30_000);
    return true;
  }

  private async build(options: ChaosStageOptions): Promise<void> {
    const { cluster, context } = this;
    const workers = options.hosts.reduce((sum, host) => sum + host.workers, 0);
    context.progress(`starting ${workers} workers and ${options.backends} backends`);
    await fillDatabase(cluster.databaseUrl, options);
    for (const host of options.hosts) this.hosts.push(await WorkerHost.start(host, this.history.path));
    for (const { ports } of this.hosts)
      for (const port of ports) this.links.push(await new WorkerLink(port, options.link).listen());
    const DETECTOR_WORKERS = this.links.map(({ url }) => url).join(',');
    if (options.redisLinks)
      while (this.redisLinks.length < options.backends)
        this.redisLinks.push(await new NetworkLink(Number(new URL(this.redis!.url).port)).listen());
    const env = await options.prepare?.(this);
    await Promise.all(
      Array.from({ length: options.backends }, (_, i) => {
        const link = this.redisLinks[i];
        const REDIS_URL = link && `redis://127.0.0.1:${link.port}`;
        return cluster.addBackend({ DETECTOR_WORKERS, ...(REDIS_URL && { REDIS_URL }), ...env });
      }),
    );
    await this.allActive(options.cameras);
    await this.allReady();
    context.progress(`${options.cameras} subscriptions are active on ${workers} workers`);
  }

  private async stop(): Promise<void> {
    await this.cluster.stop();
    for (const link of [...this.links, ...this.redisLinks]) link.close();
    await Promise.all(this.hosts.map((host) => host.stop()));
  }
}

/** Fills a migrated, empty database with displays that all show the same playlist. */
function fillDatabase(url: string, { cameras, spareCameras = 0 }: ChaosStageOptions): Promise<unknown> {
  return withPostgres(url, (client) =>
    client.query(`
      insert into "Model" ("name", "fileKey", "updatedAt") values ('vehicles', 'vehicles.onnx', now());
      insert into "Playlist" ("name", "modelId", "updatedAt") select 'everything', id, now() from "Model";
      insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt")
        select 'camera-' || i, 'rtsp://10.0.0.1/' || i, now() from generate_series(1, ${cameras + spareCameras}) i;
      insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
        select 'display-' || i, 'camera-' || i, p.id, now() from generate_series(1, ${cameras}) i, "Playlist" p;
      analyze`),
  );
}
