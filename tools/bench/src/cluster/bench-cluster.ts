import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { eventually } from '@detector-cluster/election/testing';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildCalls } from '../support/child-calls.js';
import type { BackendArguments, BackendCalls } from './backend.child.js';
import type { WorkersCalls } from './workers.child.js';

/** Timeout until everything runs; a hundred thousand subscriptions are sent one by one. Milliseconds. */
const TIMEOUT = 600_000;

const PREFIX = 'bench:';

export interface BenchClusterOptions {
  readonly workers: number;
  readonly subscriptions: number;
  /** How often a backend is asked whether everything runs. Milliseconds. */
  readonly look?: number;
}

/** Bytes. */
export interface Memory {
  /** Memory in use in the master. */
  readonly master: number;
  /** Memory of all keys of the cluster in Redis. */
  readonly redis: number;
}

/** A master and a follower in their own processes. Workers in a third process hold subscriptions and detect nothing. */
export class BenchCluster {
  masterId = '';
  master!: ChildCalls<BackendCalls>;
  follower!: ChildCalls<BackendCalls>;
  workers!: ChildCalls<WorkersCalls>;
  private workerUrls: readonly string[] = [];
  private readonly redis: Redis;

  private constructor(
    private readonly options: BenchClusterOptions,
    private readonly service: RedisService,
  ) {
    this.redis = new Redis(service.url);
  }

  /** All workers are connected, no subscription runs. */
  static async start(options: BenchClusterOptions): Promise<BenchCluster> {
    const cluster = new BenchCluster(options, await startRedis());
    try {
      await cluster.startProcesses();
      await cluster.untilWhole(0);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
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
    for (const backend of [this.follower, this.master])
      await backend.call('desire', this.options.subscriptions);
    // To make a list of the desired subscriptions blocks the process of the benchmark, not a master.
    await sleep(100);
    await this.master.call('longestBlock');
    const start = performance.now();
    await this.master.call('regenerate');
    await this.untilWhole(this.options.subscriptions);
    return Math.round(performance.now() - start);
  }

  /** Waits until `check` holds. */
  async until(what: string, check: () => Promise<boolean>, interval: number): Promise<void> {
    await eventually(what, TIMEOUT, async () => {
      if (await check()) return true;
      await sleep(interval);
      return false;
    });
  }

  async memory(): Promise<Memory> {
    let redis = 0;
    for (const key of await this.redis.keys(`${PREFIX}*`))
      redis += (await this.redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0;
    return { master: await this.master.call('heap'), redis };
  }

  async stop(): Promise<void> {
    await Promise.all([this.master?.stop(), this.follower?.stop()]);
    await this.workers?.stop();
    this.redis.disconnect();
    await this.service.stop();
  }

  private async startProcesses(): Promise<void> {
    const { workers, subscriptions } = this.options;
    this.workers = await start<WorkersCalls>('workers', 'workers.child.js', workers);
    this.workerUrls = await this.workers.call('urls');
    const args: BackendArguments = {
      redisUrl: this.service.url,
      prefix: PREFIX,
      workers: this.workerUrls,
      // Twice the needed capacity, so that the planner can choose any worker.
      capacity: Math.ceil((2 * subscriptions) / workers),
    };
    this.master = await start<BackendCalls>('master', 'backend.child.js', args);
    this.follower = await start<BackendCalls>('follower', 'backend.child.js', args);
    this.masterId = await this.master.call('nodeId');
  }

  private untilWhole(subscriptions: number): Promise<void> {
    const check = () => this.follower.call('whole', this.masterId, subscriptions);
    return this.until(`${subscriptions} subscriptions active`, check, this.options.look ?? 200);
  }
}

const start = <T extends Record<keyof T, (...args: never[]) => unknown>>(
  name: string,
  file: string,
  argument: unknown,
) => ChildCalls.start<T>(name, new URL(file, import.meta.url), argument, ['--expose-gc']);
