import { once } from 'node:events';
import { freePort, type RedisClusterService, startRedisCluster } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.js';
import { boundedCall, whenReady } from './bounded-call.js';
import { blockingSettings, closeRedis, commandSettings, openRedis } from './redis-connection.js';
import { slotSource } from './slot-source.js';

const openSockets = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

const serverOf = async (redis: Redis) =>
  Number(/^tcp_port:(\d+)/m.exec(await boundedCall(redis, 5_000, () => redis.info('server')))![1]);

describe('a connection to the slot of a prefix', () => {
  let cluster: RedisClusterService;
  let opened: Redis[];
  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, 60_000);
  afterAll(() => cluster.stop());
  afterEach(() => {
    for (const redis of opened) closeRedis(redis);
  });

  const open = (prefix: string, nodes = cluster.nodes.map(({ host, port }) => ({ host, port }))) => {
    const redis = openRedis(slotSource({ cluster: { nodes } }, 'lockName', prefix), commandSettings);
    opened = [redis];
    return redis;
  };
  it('finds the node through any other, even if some are unavailable', async () => {
    const gone = { host: '127.0.0.1', port: await freePort() };
    for (const prefix of ['{a}', '{b}', '{c}', '{d}', '{e}', '{f}']) {
      const owner = await cluster.ownerOf(prefix);
      const [other] = cluster.nodes.filter((node) => node !== owner);
      const redis = open(prefix, [gone, { host: other!.host, port: other!.port }]);
      expect(await serverOf(redis)).toBe(owner.port);
      closeRedis(redis);
    }
  }, 20_000);

  it('finds the nodes by the look-up of names that the application gives', async () => {
    const { port } = cluster.nodes[0]!;
    const source = slotSource(
      {
        cluster: {
          nodes: [{ host: 'seed.invalid', port }],
          options: { dnsLookup: (name, found) => found(null, name === 'seed.invalid' ? '127.0.0.1' : name) },
        },
      },
      'lockName',
      '{a}',
    );
    const redis = openRedis(source, commandSettings);
    opened = [redis];
    expect(await serverOf(redis)).toBe((await cluster.ownerOf('{a}')).port);
  });

  it('names the connection that looks the node up', async () => {
    const [node] = cluster.nodes;
    const watch = new Redis({ host: node!.host, port: node!.port });
    try {
      const stream = await watch.monitor();
      const commands: string[][] = [];
      stream.on('monitor', (_time: string, command: string[]) => commands.push(command));
      await whenReady(open('{a}', [{ host: node!.host, port: node!.port }]), 5_000);
      await eventually('a lookup', 5_000, () => commands.some(([name]) => /^cluster$/i.test(name!)));
      expect(commands.map((command) => command.join(' ').toLowerCase())).toContain(
        'client setname election:topology',
      );
      stream.disconnect();
    } finally {
      watch.disconnect();
    }
  });

  it('follows its slot, and neither keeps nor repeats refused commands', async () => {
    const redis = open('{a}');
    await whenReady(redis, 5_000);
    const incr = () => boundedCall(redis, 5_000, () => redis.incr('{a}:n'));
    expect(await incr()).toBe(1);
    const owner = await cluster.ownerOf('{a}');
    const to = cluster.nodes.find((node) => node !== owner)!;
    await cluster.moveSlotOf('{a}', to);
    await expect(incr()).rejects.toMatchObject({ code: 'MOVED' });
    await eventually(
      'at the new node',
      10_000,
      async () => (await serverOf(redis).catch(() => 0)) === to.port,
    );
    expect(await incr()).toBe(2);
  }, 20_000);

  it('follows its slot also while it blocks', async () => {
    const nodes = cluster.nodes.map(({ host, port }) => ({ host, port }));
    const writer = open('{a}');
    const reader = openRedis(slotSource({ cluster: { nodes } }, 'lockName', '{a}'), blockingSettings);
    opened.push(reader);
    await Promise.all([whenReady(reader, 5_000), whenReady(writer, 5_000)]);
    const read = () => reader.xread('BLOCK', 0, 'STREAMS', '{a}:stream', '0');
    const refused = expect(read()).rejects.toThrow('MOVED');
    const owner = await cluster.ownerOf('{a}');
    await cluster.moveSlotOf(
      '{a}',
      cluster.nodes.find((node) => node !== owner)!,
    );
    await refused;
    const entries = read();
    const write = () => writer.xadd('{a}:stream', '*', 'a', '1').catch(() => null);
    await eventually('written', 10_000, async () => (await write()) !== null);
    expect(await entries).toHaveLength(1);
  }, 20_000);

  it('reports why no node can be asked', async () => {
    const redis = open('{a}', [{ host: '127.0.0.1', port: await freePort() }]);
    await expect(whenReady(redis, 5_000)).rejects.toThrow('ECONNREFUSED');
  });

  it('can be closed while it looks for its node', async () => {
    // Another test file of the same process may have left a socket open.
    const before = openSockets();
    for (const node of cluster.nodes) node.pause();
    try {
      const redis = open('{a}');
      await once(redis, 'connecting');
      const ended = once(redis, 'end');
      closeRedis(redis);
      await ended;
      await eventually('no socket', 5_000, () => openSockets() <= before);
    } finally {
      for (const node of cluster.nodes) node.resume();
    }
  }, 20_000);
});
