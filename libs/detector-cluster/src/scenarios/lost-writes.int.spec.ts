import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let server: RedisService;
let redis: Redis;
let worker: PlainWorker;
let master: ClusterProcess;

beforeEach(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  worker = await PlainWorker.start();
});
afterEach(async () => {
  await master?.stop();
  await worker.stop();
  redis.disconnect();
  await server.stop();
});

it('a master rewrites the state that Redis lost in an outage, under the same term', async () => {
  const prefix = `{${randomUUID()}}:`;
  const keys = clusterKeys(prefix);
  master = await ClusterProcess.start({ prefix, workers: [worker.url], redis: server.url });
  await master.cluster.subscribeToCamera('d1;c1', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
  await master.active(1);
  const { term } = master.election;
  const mirrors = [keys.desired, keys.actual, keys.connections];
  const fields = () => Promise.all(mirrors.map((key) => redis.hkeys(key)));
  const before = await fields();
  expect(before.flat()).toHaveLength(3);

  // Simulates a failover to a replica that was behind.
  await redis
    .multi()
    .del(...mirrors)
    .hset(keys.actual, 'd9;c9', 'of an earlier time')
    .exec();
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await eventually(
    'the mirrors',
    20_000,
    async () => JSON.stringify(await fields()) === JSON.stringify(before),
  );
  expect(master.election.term).toBe(term);
});
