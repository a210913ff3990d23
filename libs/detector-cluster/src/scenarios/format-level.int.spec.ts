import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { FormatLevelError } from '@detector-cluster/master-election';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { until } from '../../../../test/support/until.js';
import { watchCommands } from '../../../../test/support/watch-commands.js';
import { ProcessRegistry } from '../../../master-election/src/registry/process-registry.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const PREFIX = '{detector}:';
const FENCE = `${PREFIX}worker:fence`;

describe('a process that understands less than the cluster writes', () => {
  let redis: RedisService;
  let client: Redis;
  let process: ClusterProcess | undefined;
  /** Commands on keys that processes of the cluster exchange. A process that ends withdraws what it may have announced. */
  let commands: string[];
  let endWatch: () => void;

  beforeEach(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
    commands = [];
    endWatch = await watchCommands(redis.url, ({ name, args }) => {
      const isMessage = ['subscribe', 'unsubscribe', 'publish', 'hdel'].includes(name);
      if (!isMessage && args.some((arg) => arg.includes('worker:'))) commands.push(name);
    });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await process?.stop();
    process = undefined;
    endWatch();
    client.disconnect();
    await redis.stop();
  });

  const raise = () => client.hset(`${PREFIX}election:formats`, 'level', 2, 'version', '9.8.7');
  const start = async () =>
    (process = await ClusterProcess.start({ prefix: PREFIX, workers: [], redis: redis.url }));
  const fence = () => client.get(FENCE);
  /** Connections of processes to Redis. */
  const connections = async () =>
    ((await client.call('CLIENT', 'LIST')) as string)
      .split('\n')
      .filter((line) => line.includes('name=detector-cluster'));

  it('does not start, and reads nothing', async () => {
    await raise();
    await expect(start()).rejects.toThrow('start version 9.8.7 or newer');
    expect(commands).toEqual([]);
    expect(await fence()).toBeNull();
  });

  it('reads nothing before it knows that it may, even as master', async () => {
    const put = vi
      .spyOn(ProcessRegistry.prototype, 'put')
      .mockRejectedValue(new Error('Redis is unavailable'));
    const { cluster, election } = await start();
    expect(election.getIsMaster()).toBe(true);
    await until(() => put.mock.calls.length > 3);
    expect(commands).toEqual([]);
    expect(await fence()).toBeNull();
    put.mockRestore();
    await until(async () => (await fence()) === String(election.term));
    await until(() => commands.includes('xread'));
    await expect(cluster.getState()).resolves.toMatchObject({ stale: false });
  });

  it('takes no part any more if the level has risen while it was paused, not even as the next master', async () => {
    const { election } = await start();
    await until(async () => (await fence()) === String(election.term));
    const { term } = election;
    const refused = new Promise<Error>((resolve) => election.on('error', resolve));
    await raise();
    await election.resign();
    expect(await refused).toBeInstanceOf(FormatLevelError);
    await until(async () => (await connections()).length === 0);
    expect(await fence()).toBe(String(term));
  });
});
