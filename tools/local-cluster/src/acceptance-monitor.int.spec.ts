import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { AcceptanceMonitor } from './acceptance-monitor.js';
import { waitFor } from './wait-for.js';

const GROUP = 'detections';

describe('AcceptanceMonitor', () => {
  const url = process.env.REDIS_URL!;
  let redis: Redis;
  let prefix: string;
  let stream: string;
  let monitor: AcceptanceMonitor;

  const add = (entry: string, id: string, to = stream) =>
    redis.xadd(to, 'NOMKSTREAM', entry, 'message', JSON.stringify({ id, type: 'detection' }));
  const create = () => redis.xgroup('CREATE', stream, GROUP, '0', 'MKSTREAM');

  /** Resolves when the monitor has seen all that was sent before. */
  const seen = async () => {
    const id = randomUUID();
    const last = `${prefix}worker:slave:last`;
    await redis.xgroup('CREATE', last, GROUP, '0', 'MKSTREAM');
    await add('1-1', id, last);
    await redis.del(last);
    await waitFor('the monitor', 10_000, () => Promise.resolve(monitor.accepted.delete(id) || null));
  };

  beforeEach(async () => {
    redis = new Redis(url);
    prefix = `${randomUUID()}:`;
    stream = `${prefix}worker:slave:a`;
    monitor = new AcceptanceMonitor(url, prefix);
    await monitor.start();
    await create();
  });
  afterEach(async () => {
    monitor.stop();
    await redis.del(stream);
    redis.disconnect();
  });

  it('counts what Redis takes, and what is acknowledged of it', async () => {
    await add('7-1', 'a');
    await add('7-2', 'b');
    await redis.xack(stream, GROUP, '7-1');
    await seen();
    expect([...monitor.accepted]).toEqual(['a', 'b']);
    expect([...monitor.acknowledged]).toEqual(['a']);
    expect(monitor.placeOf('b')).toBe(`${stream} 7-2`);
  });

  it('counts what a script writes', async () => {
    const message = JSON.stringify({ id: 'a' });
    await redis.eval(
      `return redis.call('XADD', KEYS[1], 'NOMKSTREAM', '7-1', 'message', ARGV[1])`,
      1,
      stream,
      message,
    );
    await seen();
    expect([...monitor.accepted]).toEqual(['a']);
  });

  it('does not count what Redis refuses: a later term has written', async () => {
    await add('7-1', 'a');
    await add('8-1', 'b');
    await expect(add('7-2', 'late')).rejects.toThrow('equal or smaller');
    await add('8-2', 'c');
    await seen();
    expect([...monitor.accepted]).toEqual(['a', 'b', 'c']);
    expect(await redis.xlen(stream)).toBe(3);
  });

  it('counts once what is sent again', async () => {
    await add('7-10', 'a');
    await expect(add('7-10', 'a')).rejects.toThrow('equal or smaller');
    await seen();
    expect([...monitor.accepted]).toEqual(['a']);
  });

  it('does not count what is for a process whose stream is deleted, until it has one again', async () => {
    await add('8-1', 'a');
    await redis.del(stream);
    expect(await add('8-2', 'nobody')).toBeNull();
    await create();
    await add('7-9', 'b');
    await seen();
    expect([...monitor.accepted]).toEqual(['a', 'b']);
    expect(await redis.xlen(stream)).toBe(1);
  });

  it('does not count what is written elsewhere', async () => {
    const other = `${prefix}worker:dead`;
    await redis.xgroup('CREATE', other, GROUP, '0', 'MKSTREAM');
    await add('7-1', 'a', other);
    await redis.del(other);
    await seen();
    expect([...monitor.accepted]).toEqual([]);
  });
});
