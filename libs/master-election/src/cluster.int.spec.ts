import { randomUUID } from 'node:crypto';
import { startRedisCluster, type RedisClusterService } from '@detector-cluster/dev-services';
import { PresenceConnection, slotSource } from '@detector-cluster/election/internal/redis';
import {
  closeRedis,
  commandSettings,
  openRedis,
  whenReady,
  type DirectRedisSource,
  type RedisClusterSource,
} from '@detector-cluster/election/redis';
import { Redis } from 'ioredis';
import { eventually } from '@detector-cluster/election/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentedClusterCommands } from './test-support/documented-rights.js';
import { InvalidOptionsError, resolveOptions } from './shared/resolve-options.js';
import type { MasterElectionOptions } from './shared/master-election-options.js';
import { ProcessRegistry, registryKeys } from './registry/process-registry.js';
import { startTestProcess, type TestProcess } from './test-support/test-process.js';

describe('on a Redis Cluster', () => {
  let cluster: RedisClusterService;
  let redis: RedisClusterSource;
  let lockName: string;

  beforeAll(async () => {
    cluster = await startRedisCluster();
    for (const { host, port, generation } of cluster.nodes) {
      const admin = new Redis({ host, port });
      const rights = ['~{acl}:*', 'resetchannels', '&{acl}:*', ...documentedClusterCommands(generation)];
      await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', ...rights);
      admin.disconnect();
    }
    redis = { cluster: { nodes: cluster.nodes.map(({ host, port }) => ({ host, port })) } };
  }, 60_000);
  afterAll(() => cluster.stop());
  beforeEach(() => {
    lockName = `{election-${randomUUID()}}`;
  });

  const otherNodeThan = async (key: string) => {
    const owner = await cluster.ownerOf(key);
    return cluster.nodes.find((node) => node !== owner)!;
  };

  describe('processes', () => {
    const processes: TestProcess[] = [];
    afterEach(async () => {
      await Promise.all(processes.splice(0).map(({ app }) => app.close()));
    });
    const join = async (nodeId: string, more: Partial<MasterElectionOptions> = {}) => {
      const joined = await startTestProcess({ redis, lockName, nodeId, ...more });
      processes.push(joined);
      return joined;
    };

    it('see each other, hand over, and refuse a duplicate node id', async () => {
      const [a, b] = [await join('a'), await join('b')];
      await Promise.all([a, b].map(({ election }) => election.waitForElectionComplete()));
      const [master, slave] = a.election.getIsMaster() ? [a, b] : [b, a];
      await eventually('registered', 10_000, () =>
        master.events.includes(`slave-registered ${slave.election.getNodeId()}`),
      );
      await expect(join('b')).rejects.toMatchObject({ name: 'DuplicateNodeIdError' });
      expect((await slave.election.getMasterProcess())?.nodeId).toBe(master.election.getNodeId());

      await cluster.moveSlotOf(lockName, await otherNodeThan(lockName));
      await eventually('all are there', 15_000, async () => {
        const all = await slave.election.getAllProcesses().catch(() => []);
        return (
          all
            .map(({ nodeId }) => nodeId)
            .sort()
            .join() === 'a,b'
        );
      });
      const current = await eventually('a master', 15_000, () =>
        processes.find(({ election }) => election.getIsMaster()),
      );
      const successor = processes.find((process) => process !== current)!;
      await current.app.close();
      await eventually('the other is master', 10_000, () => successor.election.getIsMaster());
      expect(processes.flatMap(({ events }) => events).filter((e) => e.startsWith('slave-removed'))).toEqual(
        [],
      );
    }, 60_000);

    it('need only the documented rights', async () => {
      const redisOptions = { username: 'app', password: 'secret' };
      const restricted = {
        redis: { cluster: { ...redis.cluster, options: { redisOptions } } },
        lockName: '{acl}',
      };
      const [a, b] = [await join('a', restricted), await join('b', restricted)];
      await Promise.all([a, b].map(({ election }) => election.waitForElectionComplete()));
      const [master, slave] = a.election.getIsMaster() ? [a, b] : [b, a];
      await eventually('registered', 10_000, () =>
        master.events.includes(`slave-registered ${slave.election.getNodeId()}`),
      );
      await expect(join('a', restricted)).rejects.toMatchObject({ name: 'DuplicateNodeIdError' });
      await master.election.resign();
      await eventually('the other is master', 10_000, () => slave.election.getIsMaster());
      const admin = openRedis(slotSource(redis, 'lockName', '{acl}'), commandSettings);
      await whenReady(admin, 5_000);
      await eventually('rests on presence', 10_000, async () => {
        return (await admin.hget('{acl}:lease', 'mode')) === 'presence';
      });
      expect(await admin.call('ACL', 'LOG')).toEqual([]);
      closeRedis(admin);
    }, 30_000);

    it('refuse to start when their keys would not be in one slot', () => {
      expect(() => resolveOptions({ redis, lockName: 'cms', identifier: ';' })).toThrow(InvalidOptionsError);
      expect(() => resolveOptions({ redis, lockName: 'cms', identifier: ';' })).toThrow(
        /lockName must contain a hash tag on a Redis Cluster[^]*'\{cms\}' instead of 'cms'[^]*identifier/,
      );
    });
  });

  describe('the registry', () => {
    let source: DirectRedisSource;
    let connection: Redis;
    let registry: ProcessRegistry;
    let presence: PresenceConnection;
    beforeEach(() => {
      source = slotSource(redis, 'lockName', lockName);
      connection = openRedis(source, commandSettings);
      registry = new ProcessRegistry(connection, lockName);
      presence = new PresenceConnection(source, registryKeys(lockName).presence, 'a:boot');
    });
    afterEach(() => {
      presence.close();
      closeRedis(connection);
    });
    const present = (expected: string[]) =>
      eventually(`present: ${expected.join()}`, 10_000, async () => {
        const found = await registry.present(['a:boot', 'b:boot']).catch(() => undefined);
        return found && [...found].join() === expected.join();
      });

    it('sees which processes are present, even after its slot has moved', async () => {
      await present(['a:boot']);
      const before = await cluster.ownerOf(lockName);
      await cluster.moveSlotOf(lockName, await otherNodeThan(lockName));
      expect(await cluster.ownerOf(lockName)).not.toBe(before);
      // The connection for commands learns of the move from its first command on a key.
      await eventually('moved along', 10_000, () =>
        registry.read().then(
          () => true,
          () => false,
        ),
      );
      await present(['a:boot']);
      presence.close();
      await present([]);
    }, 30_000);
  });
});
