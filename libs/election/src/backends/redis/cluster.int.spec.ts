import {
  availableRedisGenerations,
  startRedisCluster,
  type RedisClusterService,
  type RedisService,
} from '@detector-cluster/dev-services';
import { Cluster, Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { ElectionGroup } from '../../test-support/election-group.js';
import { eventually } from '../../testing/eventually.js';
import type { RedisClusterSource } from './connection/redis-source.js';
import { RedisElectionBackend } from './redis-election-backend.js';

const generations = await availableRedisGenerations();

/** Three times the promised failover time after a crash, and still far below the 30 s of the lease. */
const FAILOVER = 4_500;

for (const generation of generations)
  describe(`an election on a Redis Cluster, generation ${generation}`, () => {
    let cluster: RedisClusterService;
    let group: ElectionGroup;
    let proxies: TcpProxy[];

    beforeAll(async () => {
      cluster = await startRedisCluster({ generation, replicas: 1 });
    }, 60_000);
    afterAll(() => cluster.stop());
    beforeEach(() => {
      group = new ElectionGroup();
      proxies = [];
    });
    afterEach(async () => {
      const problems = await group.close();
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      expect(problems).toEqual([]);
    });

    const nodes = () => cluster.nodes.map(({ host, port }) => ({ host, port }));
    const source = (): RedisClusterSource => ({ cluster: { nodes: nodes() } });
    /** The cluster through proxies of one process, and how that process dies. */
    const mortal = async () => {
      const mine = await Promise.all(cluster.nodes.map(({ port }) => TcpProxy.to(port)));
      proxies.push(...mine);
      const behind = (node: RedisService, i: number) =>
        [`${node.host}:${node.port}`, { host: node.host, port: mine[i]!.port }] as const;
      return {
        redis: {
          cluster: {
            nodes: mine.map(({ port }) => ({ host: '127.0.0.1', port })),
            options: { natMap: Object.fromEntries(cluster.nodes.map(behind)) },
          },
        },
        die: () => Promise.all(mine.map((proxy) => proxy.stop())),
      };
    };
    const record = async (field: string) => {
      const { host, port } = await cluster.ownerOf(group.lockName);
      const redis = new Redis({ host, port });
      const value = await redis.hget(`${group.lockName}:lease`, field);
      redis.disconnect();
      return value;
    };

    const restsOnPresence = () =>
      eventually('in presence mode', 10_000, async () => (await record('mode')) === 'presence');

    it('replaces a leader whose process died long before its lease ends', async () => {
      const { redis, die } = await mortal();
      const first = group.join(redis);
      await group.leader(10_000);
      await restsOnPresence();
      const others = [group.join(source()), group.join(source())];
      await group.followers(5_000);
      const { term } = first.elector;
      await die();
      const next = await group.leader(FAILOVER, others);
      expect(next.elector.term).toBeGreaterThan(term);
    }, 30_000);

    it('continues when its slot moves to another node', async () => {
      group.join(source());
      group.join(source());
      await group.followers(10_000);
      const from = await cluster.ownerOf(group.lockName);
      const to = cluster.nodes.slice(0, 3).find((node) => node !== from)!;
      await cluster.moveSlotOf(group.lockName, to);
      const moved = performance.now();
      const confirmed = await eventually('confirmed at the new node', 10_000, () =>
        group.members.find(({ leads, grants }) => leads && grants.at(-1)!.sentAt > moved + 1_000),
      );
      expect(await record('owner')).toContain(confirmed.id);
      await restsOnPresence();
    }, 30_000);

    it('continues when the node that serves it dies', async () => {
      group.join(source());
      group.join(source());
      await group.followers(10_000);
      const highest = Math.max(...group.members.map(({ elector }) => elector.term));
      const owner = await cluster.ownerOf(group.lockName);
      await owner.kill();
      try {
        await eventually('no member leads', 5_000, () => !group.members.some(({ leads }) => leads));
        const next = await group.leader(20_000);
        expect(next.elector.term).toBeGreaterThanOrEqual(highest);
        await restsOnPresence();
      } finally {
        await owner.start();
      }
    }, 60_000);

    it('copies the settings of an instance and leaves the instance alone', async () => {
      const instance = new Cluster(nodes(), { lazyConnect: true });
      group.join(instance);
      await group.leader(10_000);
      expect(instance.status).toBe('wait');
    }, 20_000);

    it('names the problem when it is not configured for the cluster', async () => {
      const owner = await cluster.ownerOf(group.lockName);
      const { url } = cluster.nodes.slice(0, 3).find((node) => node !== owner)!;
      const member = group.join(url);
      // The node may have been restarted just before.
      const moved = await eventually('a refusal', 10_000, () =>
        member.errors.find(({ code }) => code === 'MOVED'),
      );
      expect(moved).toMatchObject({ name: 'StoreError' });
      expect(moved.message).toContain('{ cluster: { nodes } }');
    }, 20_000);

    it('refuses a name without a hash tag', () => {
      for (const redis of [source(), new Cluster(nodes(), { lazyConnect: true })])
        expect(() => new RedisElectionBackend({ redis })).toThrow(
          "lockName must contain a hash tag on a Redis Cluster, so that all its keys are in one slot: '{master-election}' instead of 'master-election'",
        );
    });
  });
