import {
  freePort,
  startRedis,
  type RedisService,
  type StartRedisOptions,
} from '@detector-cluster/dev-services';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { fsyncProblem } from './fsync-problem.js';

vi.setConfig({ testTimeout: 40_000 });

const AOF = ['--appendonly', 'yes'];

describe('fsyncProblem', () => {
  let server: RedisService | undefined;
  afterEach(() => server?.stop());

  it.each<[string, StartRedisOptions, RegExp | undefined]>([
    ['Redis 8 with an append-only file', { generation: '8', args: AOF }, undefined],
    ['Redis 8 without one', { generation: '8' }, /^acceptance\.fsync: .*set `appendonly yes`/],
    ['Redis 7.0', { generation: '7', args: AOF }, /^acceptance\.fsync: .*Redis 7\.2 or newer/],
    [
      'a user without the right',
      {
        generation: '8',
        args: AOF,
        users: [{ name: 'app', password: 'secret', rules: ['~*', '&*', '+@all', '-waitaof'] }],
      },
      /^acceptance\.fsync: .*\+waitaof/,
    ],
  ])('knows what %s can confirm', async (_name, options, problem) => {
    server = await startRedis(options);
    const user = options.users && { username: 'app', password: 'secret' };
    const redis = openRedis({ host: server.host, port: server.port, ...user }, commandSettings);
    const found = await fsyncProblem(redis);
    closeRedis(redis);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
  });

  it('says nothing of a server that cannot be asked', async () => {
    const redis = openRedis({ host: '127.0.0.1', port: await freePort() }, commandSettings);
    expect(await fsyncProblem(redis)).toBeUndefined();
    closeRedis(redis);
  });

  it('keeps an application from starting', async () => {
    server = await startRedis({ generation: '8' });
    const options = {
      prefix: 'fsync:',
      workers: [],
      redis: server.url,
      acceptance: { fsync: true, timeout: 5_000 },
    };
    await expect(ClusterProcess.start(options)).rejects.toThrow(/acceptance\.fsync: .*appendonly yes/);
  });
});
