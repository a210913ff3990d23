import { startRedis, waitFor } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AcceptanceMonitor } from './acceptance-monitor.js';
import { ownerRecord, partitionStreamPrefix } from './delivery-wire.js';

const message = (id: string) =>
  JSON.stringify({ detectionId: id, workerUrl: 'ws://worker', data: { a: '"}', b: '\n{"detectionId":"x"' } });

const fieldsOf = (...ids: string[]) => [
  'detections',
  String(ids.length),
  'messages',
  ids.map(message).join('\n'),
];

describe('AcceptanceMonitor', () => {
  const url = process.env.REDIS_URL!;
  let redis: Redis;
  let keyPrefix: string;
  let stream: string;
  let monitor: AcceptanceMonitor;

  const streamOf = (partition: number) => `${partitionStreamPrefix(keyPrefix)}{${partition}}`;
  const add = (entry: string, id: string, to = stream) => redis.xadd(to, entry, ...fieldsOf(id));

  /** Resolves when the monitor has seen all that was sent before. */
  const seen = async () => {
    const id = randomUUID();
    const last = streamOf(99);
    await redis.xadd(last, '1-1', ...fieldsOf(id));
    await waitFor('the monitor', 10_000, () => monitor.accepted.has(id));
    await redis.del(last);
    return [...monitor.accepted.keys()].filter((each) => each.length === 1);
  };

  beforeEach(async () => {
    redis = new Redis(url);
    keyPrefix = `{${randomUUID()}}:`;
    stream = streamOf(3);
    monitor = new AcceptanceMonitor(url, keyPrefix);
    await monitor.start();
  });
  afterEach(async () => {
    monitor.stop();
    await redis.del(stream);
    redis.disconnect();
  });

  it('counts appended entries as accepted and deleted entries as finished', async () => {
    const before = Date.now();
    await add('7-1', 'a');
    await add('7-2', 'b');
    await redis.xdel(stream, '7-1');
    expect(await seen()).toEqual(['a', 'b']);
    expect([...monitor.finished]).toEqual(['a']);
    expect(monitor.accepted.get('b')).toMatchObject({ stream, entry: '7-2' });
    expect(monitor.accepted.get('b')!.at).toBeGreaterThan(before - 10);
    expect(monitor.accepted.get('b')!.at).toBeLessThan(Date.now() + 10);
  });

  it('reads the writes of a script', async () => {
    const script = `
      redis.call('XADD', KEYS[1], '7-1', 'detections', 1, 'messages', ARGV[1])
      redis.call('XADD', KEYS[1], '7-2', 'detections', 1, 'messages', ARGV[2])
      return redis.call('XDEL', KEYS[1], '7-1', '7-2')`;
    await redis.eval(script, 1, stream, message('a'), message('b'));
    expect(await seen()).toEqual(['a', 'b']);
    expect([...monitor.finished]).toEqual(['a', 'b']);
  });

  it('knows all detections of a batch', async () => {
    await redis.xadd(stream, '7-1', ...fieldsOf('a', 'b', 'c'));
    await redis.xdel(stream, '7-1');
    expect(await seen()).toEqual(['a', 'b', 'c']);
    expect([...monitor.finished]).toEqual(['a', 'b', 'c']);
  });

  it('keeps the order of acceptance over all partitions', async () => {
    await add('7-1', 'b');
    await add('7-1', 'a', streamOf(12));
    await add('7-2', 'c');
    expect(await seen()).toEqual(['b', 'a', 'c']);
    await redis.del(streamOf(12));
  });

  it('does not count an entry that Redis refuses because a later term has written', async () => {
    await add('7-1', 'a');
    await add('8-1', 'b');
    await expect(add('7-2', 'x')).rejects.toThrow('equal or smaller');
    await add('8-2', 'c');
    expect(await seen()).toEqual(['a', 'b', 'c']);
    expect(await redis.xlen(stream)).toBe(3);
  });

  it('does not count a repetition of a finished entry', async () => {
    await add('7-10', 'a');
    await redis.xdel(stream, '7-10');
    await expect(add('7-10', 'x')).rejects.toThrow('equal or smaller');
    expect(await seen()).toEqual(['a']);
  });

  it('keeps the first place of a detection that is appended again', async () => {
    await add('7-1', 'a');
    await redis.xdel(stream, '7-1');
    await add('7-2', 'a');
    expect(await seen()).toEqual(['a']);
    expect(monitor.accepted.get('a')).toMatchObject({ entry: '7-1' });
  });

  it('counts trimmed entries as dropped, but not those that were finished before', async () => {
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) await add(`7-${index + 1}`, id);
    await redis.xdel(stream, '7-2');
    await redis.xtrim(stream, 'MAXLEN', '=', 2);
    await seen();
    expect([...monitor.dropped]).toEqual(['a']);
    expect([...monitor.finished]).toEqual(['b']);
  });

  it('starts again when a stream is deleted', async () => {
    await add('8-1', 'a');
    await redis.unlink(stream);
    await add('7-9', 'b');
    expect(await seen()).toEqual(['a', 'b']);
  });

  it('ignores owner records, dead letters, listener streams and other clusters', async () => {
    const others = [
      `${ownerRecord(stream)}s`,
      `${stream}:dead`,
      `${keyPrefix}worker:slave:a`,
      `other-${partitionStreamPrefix(keyPrefix)}{3}`,
    ];
    for (const other of others) await add('7-1', 'x', other);
    await redis.xtrim(others[1]!, 'MINID', '7-2');
    await redis.del(others);
    expect(await seen()).toEqual([]);
    expect(() => monitor.check()).not.toThrow();
  });

  it('fails its check when a trim does not show what it removed', async () => {
    await add('7-1', 'a');
    await redis.xtrim(stream, 'MINID', '7-2');
    await seen();
    expect(() => monitor.check()).toThrow('trimmed in a way that does not show');
  });

  it('fails its check when its connection breaks', async () => {
    const server = await startRedis();
    const other = new AcceptanceMonitor(server.url);
    await other.start();
    expect(() => other.check()).not.toThrow();
    await server.stop();
    await waitFor('the failure', 10_000, () => {
      expect(() => other.check()).toThrow();
      return true;
    });
    other.stop();
  });
});
