import { newDatabase, redisAt, type Service, startAll, waitFor } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY, seedDemo } from '@detector-cluster/migrate';
import { randomBytes } from 'node:crypto';
import {
  type AppProcess,
  type AppProcessOptions,
  BACKEND_SCRIPT,
  endsOfLogs,
  startApp,
  WORKER_SCRIPT,
} from './app-process.js';
import {
  commandsTaken,
  get,
  getSubscriptions,
  type ClusterStateAnswer,
  type SubscriptionsAnswer,
} from './api.js';

export interface LocalClusterOptions {
  readonly backends: number;
  readonly workers: number;
  /** A Redis to use. Default: a private one. */
  readonly redisUrl?: string | undefined;
  /** A Postgres server on which a database is created and dropped. Default: a private one. */
  readonly databaseUrl?: string | undefined;
  /** Whether the database gets the demo's displays and cameras. Default true. */
  readonly seed?: boolean;
  readonly backendEnv?: Readonly<Record<string, string>>;
  /** Script of the backends, relative to the root of the repository. Default: the reference service. */
  readonly backendScript?: string | undefined;
  /** Command that runs each backend in surroundings of its own, and becomes it. Default none. */
  readonly backendPrefix?: readonly string[] | undefined;
  readonly workerEnv?: Readonly<Record<string, string>>;
  /** Called with one line per step. */
  readonly progress?: (message: string) => void;
}

/** Redis, Postgres, backends and workers on free ports of this machine. They end with this process, even if it is killed. */
export class LocalCluster {
  readonly backends: AppProcess[] = [];
  readonly workers: AppProcess[] = [];
  readonly keyPrefix = `local-${randomBytes(4).toString('hex')}:`;

  private constructor(
    private readonly options: LocalClusterOptions,
    readonly redis: Service,
    private readonly database: Service,
  ) {}

  static async start(options: LocalClusterOptions): Promise<LocalCluster> {
    options.progress?.('starting Redis and Postgres');
    const [redis, database] = await startAll([
      redisAt(options.redisUrl),
      newDatabase(options.databaseUrl, `detector_${randomBytes(4).toString('hex')}`),
    ]);
    const cluster = new LocalCluster(options, redis!, database!);
    try {
      await cluster.prepareDatabase();
      options.progress?.(`starting ${options.workers} workers and ${options.backends} backends`);
      await Promise.all(Array.from({ length: options.workers }, () => cluster.addWorker()));
      await Promise.all(Array.from({ length: options.backends }, () => cluster.addBackend()));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** Starts one more worker. Running backends do not know it. */
  async addWorker(env: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
    const name = `worker-${this.workers.length + 1}`;
    const all = { WORKER_NAME: name, CONTROL: 'on', ...this.options.workerEnv, ...env };
    return add(this.workers, { name, script: WORKER_SCRIPT, env: all });
  }

  /** Starts one more backend, which knows all current workers. */
  async addBackend(env: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
    const name = `backend-${this.backends.length + 1}`;
    return add(this.backends, {
      name,
      script: this.options.backendScript ?? BACKEND_SCRIPT,
      prefix: this.options.backendPrefix,
      env: {
        IDENTIFIER: name,
        DATABASE_URL: this.databaseUrl,
        REDIS_URL: this.redis.url,
        KEY_PREFIX: this.keyPrefix,
        LOCK_NAME: `${this.keyPrefix}master-election`,
        DETECTOR_WORKERS: this.workers.map((worker) => this.workerUrl(worker)).join(','),
        MODEL_BASE_URL: 'http://models.example.com',
        RECENT_DETECTIONS: '20000',
        ...this.options.backendEnv,
        ...env,
      },
    });
  }

  /** The name under which the cluster knows a worker. */
  workerUrl(worker: AppProcess): string {
    return `ws://127.0.0.1:${worker.port}`;
  }

  /** The backend that reports itself as master; null while none or several do. */
  async master(): Promise<AppProcess | null> {
    const answers = await Promise.all(
      this.backends.map(async (backend) => {
        const state = await get<ClusterStateAnswer>(backend.url, '/api/cluster/state').catch(() => null);
        return state?.isMaster === true ? backend : null;
      }),
    );
    const masters = answers.filter((backend) => backend !== null);
    return masters.length === 1 ? masters[0]! : null;
  }

  /** Resolves with the one master when it is another backend than `old`. */
  untilMaster(timeout: number, old?: AppProcess): Promise<AppProcess> {
    return waitFor(
      'exactly one master',
      timeout,
      async () => {
        const master = await this.master();
        return master !== old && master;
      },
      () => endsOfLogs(this.backends),
    );
  }

  /** Asks backends in turn until one answers. */
  async ask<T>(question: (url: string) => Promise<T>, backends = this.backends): Promise<T> {
    let failure: unknown = new Error('no backend is running');
    for (const { url } of backends) {
      try {
        return await question(url);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async state(): Promise<ClusterStateAnswer> {
    return this.ask((url) => get<ClusterStateAnswer>(url, '/api/cluster/state'));
  }

  async subscriptions(): Promise<SubscriptionsAnswer> {
    return this.ask(getSubscriptions);
  }

  /** The number of subscriptions if there are any and all are active, else null. */
  async active(): Promise<number | null> {
    const { subscriptions } = await this.subscriptions();
    const all = subscriptions.length > 0 && subscriptions.every(({ status }) => status === 'active');
    return all ? subscriptions.length : null;
  }

  /**
   * Resolves with the number of subscriptions when all are active.
   * @param expected how many there must be; default any number
   */
  untilActive(timeout: number, expected?: number): Promise<number> {
    return waitFor(
      'all subscriptions active',
      timeout,
      async () => {
        const count = await this.active();
        return (expected === undefined || count === expected) && count;
      },
      async () =>
        `${JSON.stringify(await this.subscriptions().catch(String))}\n${await endsOfLogs(this.backends)}`,
    );
  }

  /** Subscribe and unsubscribe commands that all workers have carried out so far. */
  commandsTaken(): Promise<number> {
    return commandsTaken(this.workers.map(({ url }) => url));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.backends, ...this.workers].map((app) => app?.stop()));
    await Promise.all([this.redis.stop(), this.database.stop()]);
  }

  private async prepareDatabase(): Promise<void> {
    this.options.progress?.('preparing the database');
    await applyMigrations(this.databaseUrl, MIGRATIONS_DIRECTORY);
    if (this.options.seed !== false) await seedDemo(this.databaseUrl);
  }
}

/** Starts an application. Its place in the list is that of the call, also if several start at a time. */
async function add(apps: AppProcess[], options: Omit<AppProcessOptions, 'readyPath'>): Promise<AppProcess> {
  const slot = apps.push(undefined as never) - 1;
  return (apps[slot] = await startApp({ ...options, readyPath: '/health/live' }));
}
