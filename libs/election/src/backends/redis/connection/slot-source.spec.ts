import { Cluster, Redis, type ClusterOptions } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { isCluster, listenerCount, type RedisSource } from './redis-source.js';
import { openRedis } from './redis-connection.js';
import { readClusterNodes } from './slot-topology.js';
import { sourceProblem, slotSource } from './slot-source.js';

const NODES = [{ host: 'a', port: 1 }];
const cluster = (options?: ClusterOptions): RedisSource => ({
  cluster: { nodes: NODES, ...(options && { options }) },
});
const instance = (options: ClusterOptions = {}) => new Cluster(NODES, { ...options, lazyConnect: true });

describe('slotSource', () => {
  it.each([
    ['a URL', 'redis://a:1'],
    ['options', { host: 'a' }],
    ['sentinels', { sentinels: NODES, name: 'm' }],
    ['an instance', new Redis({ lazyConnect: true })],
  ])('leaves %s alone', (_name, source) => {
    expect(slotSource(source, 'lockName', 'no-tag')).toBe(source);
    expect(isCluster(source)).toBe(false);
    expect(listenerCount(source)).toBe('NUMSUB');
  });

  it.each([
    ['named nodes', cluster],
    ['an instance', instance],
  ])('makes options of %s, whose connections are known to be to a cluster', (_name, make) => {
    const tls = { ca: 'x' };
    const whole = make({ redisOptions: { username: 'u', password: 'p', tls } });
    const source = slotSource(whole, 'lockName', '{a}');
    expect(source).toMatchObject({ username: 'u', password: 'p', tls });
    expect([whole, source].map(isCluster)).toEqual([true, true]);
    const connection = new Redis({ ...(source as object), lazyConnect: true });
    expect([connection, connection.duplicate()].map(isCluster)).toEqual([true, true]);
    expect(listenerCount(connection)).toBe('SHARDNUMSUB');
  });

  it.each([
    ['lockName', 'cms', cluster(), /^lockName must contain a hash tag .* '\{cms\}' instead of 'cms'$/],
    ['keyPrefix', '', cluster(), /^keyPrefix must contain a hash tag .* '\{name\}' instead of ''$/],
    ['lockName', '{}cms', instance(), /'\{cms\}' instead of '\{\}cms'/],
    ['lockName', '{a}', { cluster: { nodes: [] } }, /redis\.cluster\.nodes must name at least one node/],
    ['lockName', '{a}', cluster({ useSRVRecords: true }), /options\.useSRVRecords cannot be used/],
    ['lockName', '{a}', cluster({ keyPrefix: 'x' }), /options\.keyPrefix cannot be used/],
    [
      'lockName',
      '{a}',
      cluster({ redisOptions: { keyPrefix: 'x' } }),
      /redisOptions\.keyPrefix cannot be used/,
    ],
  ])('names the problem: %s %j', (option, prefix, source, problem) => {
    expect(sourceProblem(source as RedisSource, option, prefix)).toMatch(problem);
    expect(() => slotSource(source as RedisSource, option, prefix)).toThrow(problem);
  });
});

describe('readClusterNodes', () => {
  it('reads every way to name a node, and takes credentials from the first', () => {
    const nodes = ['rediss://u:p@a:1', { host: 'b', port: 2 }, 3];
    const { seeds, settings } = readClusterNodes({ cluster: { nodes } });
    expect(seeds).toEqual([
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
      { host: 'localhost', port: 3 },
    ]);
    expect(settings).toMatchObject({ username: 'u', password: 'p', tls: true });
  });
});

describe('openRedis', () => {
  it('does not guess the slot', () => {
    expect(() => openRedis(cluster(), {})).toThrow(/slotSource/);
  });
});
