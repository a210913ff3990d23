import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { ChildCalls } from '../support/child-calls.js';
import type { QuietWorkersCalls, StateCalls, StateChildArguments } from './state-calls.js';

/** Timeout until everything runs; a hundred thousand subscriptions are sent one by one. Milliseconds. */
const TIMEOUT = 300_000;

/** Time for the first reports and the aftermath of the start. Milliseconds. */
const SETTLE = 5_000;

export interface StateClusterOptions {
  readonly workers: number;
  readonly subscriptions: number;
}

/** Bytes. */
export interface Memory {
  /** Memory in use in the master. */
  readonly master: number;
  /** Memory of all keys of the cluster in Redis. */
  readonly redis: number;
}

const PREFIX = 'state:';

const startBackend = (name: string, args: StateChildArguments) =>
  ChildCalls.start<StateCalls>(name, new URL('state.child.js', import.meta.url), args, ['--expose-gc']);

/** A master and another backend in their own processes. Workers in a third process hold subscriptions and detect nothing. */
export class StateCluster {
  private constructor(
    private readonly options: StateClusterOptions,
    private readonly service: RedisService,
    private readonly redis: Redis,
    private readonly workers: ChildCalls<QuietWorkersCalls>,
    private readonly workerUrls: readonly string[],
    readonly master: ChildCalls<StateCalls>,
    readonly slave: ChildCalls<StateCalls>,
  ) {}

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

  /** All workers are connected, no subscription runs. */
  static async start(options: StateClusterOptions): Promise<StateCluster> {
    const service = await startRedis();
    const redis = new Redis(service.url);
    const workers = await ChildCalls.start<QuietWorkersCalls>(
      'workers',
      new URL('quiet-workers.child.js', import.meta.url),
      options.workers,
    );
    const urls = await workers.call('urls');
    const args: StateChildArguments = {
      redisUrl: service.url,
      prefix: PREFIX,
      workers: urls,
      // Twice the needed capacity, so that the planner can choose any worker.
      capacity: Math.ceil((2 * options.subscriptions) / options.workers),
    };
    const master = await startBackend('master', args);
    const slave = await startBackend('slave', args);
    const cluster = new StateCluster(options, service, redis, workers, urls, master, slave);
    await cluster.untilWhole(0);
    return cluster;
  }

  /** Makes all subscriptions desired, and waits until they run. Returns how long that took, in milliseconds. */
  async fill(): Promise<number> {
    await this.master.call('blocked');
    const start = performance.now();
    await this.slave.call('fill', this.options.subscriptions);
    await this.master.call('fill', this.options.subscriptions);
    await this.untilWhole(this.options.subscriptions);
    const took = performance.now() - start;
    await sleep(SETTLE);
    return took;
  }

  async memory(): Promise<Memory> {
    let redis = 0;
    for (const key of await this.redis.keys(`${PREFIX}*`))
      redis += (await this.redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0;
    return { master: await this.master.call('heap'), redis };
  }

  async stop(): Promise<void> {
    await Promise.all([this.master.stop(), this.slave.stop()]);
    await this.workers.stop();
    this.redis.disconnect();
    await this.service.stop();
  }

  private async untilWhole(subscriptions: number): Promise<void> {
    const deadline = performance.now() + TIMEOUT;
    while (!(await this.slave.call('whole', subscriptions))) {
      if (performance.now() > deadline)
        throw new Error(`${subscriptions} subscriptions were not active within ${TIMEOUT} ms`);
      await sleep(250);
    }
  }
}
