import { freePort, startRedisCluster, withRedis } from '@detector-cluster/dev-services';
import type { RedisSource } from '@detector-cluster/election/redis';
import { describe, expect, it } from 'vitest';
import { deliveryKeys } from './delivery-keys.js';
import { partitionLogs } from './log-address.js';
import type { Cursor } from './log-store.js';
import { RedisLogSource } from './redis-log-source.js';

const BLOCK = 200;

const cursors = (partitions: number): Cursor[] =>
  partitionLogs(deliveryKeys(''), partitions).map((log) => ({ log, cursor: '0-0', epoch: '1.1' }));

describe('a source of logs', () => {
  it.each<[where: string, source: (port: number) => RedisSource]>([
    ['a server', (port) => `redis://127.0.0.1:${port}`],
    ['a Redis Cluster', (port) => ({ cluster: { nodes: [{ host: '127.0.0.1', port }] } })],
  ])('ends the reads that wait for %s that is unavailable when it is closed', async (_where, source) => {
    const logs = new RedisLogSource(source(await freePort()), 'reads', BLOCK);
    await expect(logs.read(cursors(1), 1, BLOCK)).rejects.toThrow('broke');
    // The connection waits until it dials again.
    const waiting = expect(logs.read(cursors(1), 1, BLOCK)).rejects.toThrow('closed');
    logs.close();
    await waiting;
  });

  it('keeps the connections of the logs of a Redis Cluster that take turns', async () => {
    const cluster = await startRedisCluster();
    const nodes = cluster.nodes.map(({ host, port }) => ({ host, port }));
    const logs = new RedisLogSource({ cluster: { nodes } }, 'reads', BLOCK);
    const connections = async () => {
      const lists = await Promise.all(
        cluster.nodes.map((node) => withRedis(node, (redis) => redis.client('LIST'))),
      );
      return lists.flatMap((list) =>
        String(list)
          .split('\n')
          .filter((line) => line.includes('name=reads '))
          .map((line) => line.split(' ').find((field) => field.startsWith('addr='))),
      );
    };
    try {
      const all = cursors(6);
      for (const each of all) await logs.read([each], 1, 0);
      const before = await connections();
      expect(before).toHaveLength(all.length);
      for (const each of all) await logs.read([each], 1, 0);
      expect(await connections()).toEqual(before);
      await logs.read(all.slice(1), 1, BLOCK);
      await expect.poll(connections).toHaveLength(all.length - 1);
    } finally {
      logs.close();
      await cluster.stop();
    }
  }, 60_000);
});
