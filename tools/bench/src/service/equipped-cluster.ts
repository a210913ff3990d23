import { setTimeout as sleep } from 'node:timers/promises';
import { listClients, type RedisClient } from '@detector-cluster/dev-services';
import {
  get,
  ListeningPage,
  LocalCluster,
  request,
  waitFor,
  type AppProcess,
  type ClusterStateAnswer,
} from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { progress } from '../support/process-figures.js';

/** A process may hold at most this many connections to one Redis server. */
export const CONNECTION_BOUNDS = { follower: 8, master: 9 } as const;

export const BACKENDS = 2;

/** Milliseconds. */
const TIMEOUT = 60_000;
const LOOK = 100;

/** Time to wait after starts and changes of role, until the cluster is idle. Milliseconds. */
const SETTLE = 3_000;
const WATCH = 3_000;

export interface EquippedClusterOptions {
  /** Whether all uses of Redis are active, or nothing happens. */
  readonly inUse: boolean;
  /** A Postgres server to use. Default: a private one. */
  readonly databaseUrl?: string | undefined;
}

/** Two backends and two workers on a private Redis. Each backend connects as a separate user. */
export class EquippedCluster {
  private readonly pages: ListeningPage[] = [];

  readonly redis: Redis;

  private constructor(private readonly cluster: LocalCluster) {
    this.redis = new Redis(cluster.redis.url);
    this.redis.on('error', () => undefined);
  }

  static async start({ inUse, databaseUrl }: EquippedClusterOptions): Promise<EquippedCluster> {
    const cluster = await LocalCluster.start({
      backends: 0,
      workers: 2,
      databaseUrl,
      backendScript: 'tools/bench/dist/service/equipped-backend.child.js',
      workerEnv: { DETECTIONS_PER_SECOND: inUse ? '5' : '0' },
      backendEnv: { EQUIPPED: inUse ? 'on' : 'off', CHANGE_FEED: 'true' },
      progress,
    });
    const equipped = new EquippedCluster(cluster);
    try {
      for (let n = 1; n <= BACKENDS; n++) await equipped.addBackend(`backend-${n}`);
      await equipped.untilSettled();
      if (inUse) await equipped.use();
      return equipped;
    } catch (error) {
      await equipped.stop();
      throw error;
    }
  }

  get url(): string {
    return this.cluster.redis.url;
  }

  get backends(): readonly AppProcess[] {
    return this.cluster.backends;
  }

  master(): Promise<AppProcess> {
    return this.cluster.untilMaster(TIMEOUT);
  }

  /** Makes another process master. Resolves when it is master and everything runs again. */
  async changeMaster(): Promise<void> {
    const before = await this.master();
    await request(before.url, 'POST', '/api/cluster/master/resign', {}, TIMEOUT);
    await this.cluster.untilMaster(TIMEOUT, before);
    await this.untilSettled();
  }

  /** The connections of a process. */
  async clientsOf(backend: AppProcess): Promise<readonly RedisClient[]> {
    return (await listClients(this.redis)).filter(({ user }) => user === backend.name);
  }

  async stop(): Promise<void> {
    await Promise.all(this.pages.map((page) => page.close()));
    this.redis.disconnect();
    await this.cluster.stop();
  }

  private async addBackend(name: string): Promise<void> {
    const password = 'bench';
    await this.redis.call('ACL', 'SETUSER', name, 'on', `>${password}`, '+@all', '~*', '&*');
    const url = new URL(this.url);
    url.username = name;
    url.password = password;
    await this.cluster.addBackend({ REDIS_URL: url.href });
  }

  /** Waits until every process sees all others and all desired subscriptions run. */
  private async untilSettled(): Promise<void> {
    await waitFor('everything runs', TIMEOUT, async () => {
      if ((await this.cluster.master()) === null) return false;
      const { totalFollowers } = await get<ClusterStateAnswer>(this.backends[0]!.url, '/api/cluster/state');
      return totalFollowers === BACKENDS - 1 && (await this.cluster.active()) !== null;
    });
  }

  /** On each process: opens a page, writes through its Prisma client, calls the master, and reads all endpoints. */
  private async use(): Promise<void> {
    for (const { name, url } of this.backends) {
      this.pages.push(await ListeningPage.open(url));
      const camera = { cameraIdentifier: `camera-of-${name}`, rtspUrl: 'rtsp://camera' };
      await request(url, 'POST', '/api/cameras', camera, TIMEOUT);
      await request(url, 'POST', '/api/cluster/regenerate', undefined, TIMEOUT);
      for (const path of ['/metrics', '/health/ready', '/api/cluster/dead-letters', '/api/cluster/events'])
        await fetch(`${url}${path}`).then((answer) => answer.text());
    }
    await this.untilSettled();
    const master = await this.master();
    const followers = this.backends.filter((backend) => backend !== master);
    for (const { name, url } of followers)
      await waitFor(`${name} has got detections`, TIMEOUT, async () => {
        const { delivered } = await get<{ delivered: number }>(url, '/api/detections/stats');
        return delivered > 0;
      });
  }
}

/** The presence connection of a process has the channel of that process in its name. */
const purposeOf = (name: string): string => name.replace(/(?<=election:presence):.*/, '');

/** Names of connections. */
export interface ConnectionsInUse {
  readonly follower: readonly string[];
  readonly master: readonly string[];
}

/** The most connections of a follower and a master at any moment with everything in use, before and after a change of master. */
export async function connectionsInUse(databaseUrl?: string): Promise<ConnectionsInUse> {
  const cluster = await EquippedCluster.start({ inUse: true, databaseUrl });
  try {
    const most: Record<keyof ConnectionsInUse, readonly string[]> = { follower: [], master: [] };
    for (const term of [1, 2]) {
      if (term > 1) await cluster.changeMaster();
      await sleep(SETTLE);
      const master = await cluster.master();
      for (const end = performance.now() + WATCH; performance.now() < end; await sleep(LOOK))
        for (const backend of cluster.backends) {
          const role = backend === master ? 'master' : 'follower';
          const names = (await cluster.clientsOf(backend)).map(({ name }) => purposeOf(name)).sort();
          if (names.length >= most[role].length) most[role] = names;
        }
    }
    return most;
  } finally {
    await cluster.stop();
  }
}
