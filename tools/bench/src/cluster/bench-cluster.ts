import {
  startPostgres,
  startRedis,
  type PostgresService,
  type RedisService,
} from '@detector-cluster/dev-services';
import { eventually } from '@detector-cluster/election/testing';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDisplays, createDisplayDatabase } from './display-database.js';
import { ChildCalls } from '../support/child-calls.js';
import { sum } from '../support/percentile.js';
import type { BackendArguments, BackendCalls } from './backend.child.js';
import type { WorkersCalls } from './workers.child.js';

/** Timeout until everything runs; a hundred thousand subscriptions are sent one by one. Milliseconds. */
const TIMEOUT = 600_000;

const PREFIX = 'bench:';

export interface BenchClusterOptions {
  readonly workers: number;
  readonly subscriptions: number;
  /** Where the subscriptions are. Default: in the memory of each backend. */
  readonly source?: 'memory' | 'postgres';
  /** How often a backend is asked whether everything runs. Milliseconds. */
  readonly look?: number;
  /**
   * The subscriptions to which each follower listens; then all backends take detections. Default: one follower, and no backend
   * takes detections.
   */
  readonly listeners?: readonly (readonly number[])[];
}

/** A master and followers in their own processes. Workers in one more process hold subscriptions. */
export class BenchCluster {
  masterId = '';
  master!: ChildCalls<BackendCalls>;
  workers!: ChildCalls<WorkersCalls>;
  readonly followers: ChildCalls<BackendCalls>[] = [];
  readonly redis: Redis;
  private workerUrls: readonly string[] = [];
  private databaseUrl: string | undefined;

  private constructor(
    private readonly options: BenchClusterOptions,
    private readonly service: RedisService,
    private readonly postgres: PostgresService | null,
  ) {
    this.redis = new Redis(service.url);
  }

  /** All workers are connected, no subscription runs. */
  static async start(options: BenchClusterOptions): Promise<BenchCluster> {
    const cluster = new BenchCluster(
      options,
      await startRedis(),
      options.source === 'postgres' ? await startPostgres() : null,
    );
    try {
      await cluster.startProcesses();
      await cluster.untilWhole(0);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get redisUrl(): string {
    return this.service.url;
  }

  /** The follower that is asked what the cluster does. */
  get follower(): ChildCalls<BackendCalls> {
    return this.followers[0]!;
  }

  /** The environment for the reference service as a further backend, without its database. */
  get serviceEnv() {
    return {
      REDIS_URL: this.service.url,
      KEY_PREFIX: PREFIX,
      LOCK_NAME: `${PREFIX}election`,
      DETECTOR_WORKERS: this.workerUrls.join(','),
      MODEL_BASE_URL: 'https://models.example.com',
    } as const;
  }

  /** Makes all subscriptions desired, and waits until they run. Returns how long that took, in milliseconds. */
  async fill(): Promise<number> {
    const { subscriptions } = this.options;
    if (this.databaseUrl !== undefined) await addDisplays(this.databaseUrl, subscriptions, 1);
    else for (const backend of [...this.followers, this.master]) await backend.call('desire', subscriptions);
    // To make a list of the desired subscriptions blocks the process of the benchmark, not a master.
    await sleep(100);
    await this.master.call('longestBlock');
    const start = performance.now();
    await this.master.call('regenerate');
    await this.untilWhole(subscriptions);
    return Math.round(performance.now() - start);
  }

  /** Stops watching event loops, which takes processor time that is not the product's. */
  async stopWatching(): Promise<void> {
    for (const backend of [this.master, ...this.followers]) await backend.call('watchBlocks', false);
  }

  /** Waits until `check` finds something other than null and false, and resolves with it. */
  until<T>(what: string, check: () => Promise<T | null | false>, interval: number): Promise<T> {
    return eventually(what, TIMEOUT, async () => {
      const found = await check();
      if (found === null || found === false) await sleep(interval);
      return found;
    });
  }

  /** Memory of all keys of the cluster in Redis. Bytes. */
  async redisMemory(): Promise<number> {
    let bytes = 0;
    for (const key of await this.redis.keys(`${PREFIX}*`))
      bytes += (await this.redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0;
    return bytes;
  }

  /** Processor time that Redis has used. Microseconds. */
  async redisCpu(): Promise<number> {
    const info = await this.redis.info('cpu');
    return (
      1e6 * sum([...info.matchAll(/^used_cpu_(?:user|sys):(\S+)/gm)].map(([, seconds]) => Number(seconds)))
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.master, ...this.followers].map((backend) => backend?.stop()));
    await this.workers?.stop();
    this.redis.disconnect();
    await this.postgres?.stop();
    await this.service.stop();
  }

  private async startProcesses(): Promise<void> {
    const { workers, subscriptions, listeners } = this.options;
    this.workers = await startWorkers('workers', workers);
    this.workerUrls = await this.workers.call('urls');
    if (this.postgres !== null) this.databaseUrl = await createDisplayDatabase(this.postgres.url, 'scale');
    const start = (name: string, listensTo?: readonly number[]) => {
      const args: BackendArguments = {
        redisUrl: this.service.url,
        prefix: PREFIX,
        databaseUrl: this.databaseUrl,
        workers: this.workerUrls,
        // Twice the needed capacity, so that the planner can choose any worker.
        capacity: Math.ceil((2 * subscriptions) / workers),
        listensTo,
      };
      const script = new URL('backend.child.js', import.meta.url);
      return ChildCalls.start<BackendCalls>(name, script, args, ['--expose-gc']);
    };
    this.master = await start('master', listeners && []);
    for (const [index, listensTo] of (listeners ?? [undefined]).entries())
      this.followers.push(await start(`follower-${index}`, listensTo));
    this.masterId = await this.master.call('nodeId');
  }

  private async untilWhole(subscriptions: number): Promise<void> {
    const check = () => this.follower.call('whole', this.masterId, subscriptions);
    await this.until(`${subscriptions} subscriptions active`, check, this.options.look ?? 200);
  }
}

/** A process with this many workers. */
export function startWorkers(name: string, count: number): Promise<ChildCalls<WorkersCalls>> {
  return ChildCalls.start(name, new URL('workers.child.js', import.meta.url), count);
}
