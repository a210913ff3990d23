import { once } from 'node:events';
import { type RedisService, startRedis } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.js';
import { boundedCall, whenReady } from './bounded-call.js';
import { blockingSettings, closeRedis, commandSettings, openRedis } from './redis-connection.js';
import { watchSilence } from './subscribe-at-every-dial.js';

const openSockets = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

describe('a connection of these settings', () => {
  let server: RedisService;
  let redis: Redis;
  /** Sockets that another test file of the same process may have left open. */
  let before: number;

  beforeEach(async () => {
    server = await startRedis();
    before = openSockets();
    redis = await open();
  }, 60_000);
  afterEach(async () => {
    closeRedis(redis);
    await server.stop();
  });
  const open = async (commandTimeout = 10_000) => {
    const opened = openRedis(server.url, { ...commandSettings, commandTimeout });
    await whenReady(opened, 5_000);
    return opened;
  };
  const incr = () => boundedCall(redis, 300, () => redis.incr('n'));

  it('is named after its purpose, behind the name that the user gave to the source', async () => {
    const { host, port } = redis.options;
    const connectionName = 'pod 1';
    const address = { host, port, connectionName };
    const instance = new Redis({ ...address, lazyConnect: true });
    const sources = [address, instance, `${server.url}?connectionName=pod%201`, server.url];
    const names = await Promise.all(
      sources.map(async (source) => {
        const named = openRedis(source, { ...commandSettings, connectionName: 'purpose' });
        await whenReady(named, 5_000);
        return named.client('GETNAME').finally(() => closeRedis(named));
      }),
    );
    expect(names).toEqual(['pod_1/purpose', 'pod_1/purpose', 'pod_1/purpose', 'purpose']);
    expect(await redis.client('GETNAME')).toBeNull();
  });

  it('reports OOM when the memory is full', async () => {
    await redis.config('SET', 'maxmemory', '1');
    await expect(incr()).rejects.toMatchObject({ code: 'OOM' });
    await redis.config('SET', 'maxmemory', '0');
    expect(await incr()).toBe(1);
  });

  it('gives up a call in time, dials again, and applies nothing twice', async () => {
    closeRedis(redis);
    redis = await open(300);
    server.pause();
    await expect(incr()).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(incr()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    server.resume();
    // The first may have been applied when the server woke; the second was never sent. A busy machine may answer later calls late.
    let sent = 1;
    const next = await eventually('an answer', 10_000, () =>
      incr().catch(({ code }: { code?: string }) => {
        if (code !== 'STORE_UNREACHABLE') sent++;
      }),
    );
    expect(next).toBeLessThanOrEqual(sent + 1);
  }, 20_000);

  it('rejects a command that waits for a reply when the connection breaks', async () => {
    server.pause();
    const waiting = expect(redis.incr('n')).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      message: 'the connection to Redis broke',
    });
    await server.kill();
    await waiting;
  });

  it('takes any number of calls that wait for the server, without a listener for each', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    try {
      await server.kill();
      await eventually('away', 5_000, () => redis.status !== 'ready');
      const listeners = redis.listenerCount('ready');
      const waiting = Array.from({ length: 50 }, () => whenReady(redis, 20_000));
      expect(redis.listenerCount('ready')).toBe(listeners + 1);
      const calls = await Promise.allSettled(waiting);
      expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(['rejected']));
      await server.start();
      await eventually('an answer', 10_000, () => incr().catch(() => undefined));
      expect(redis.listenerCount('ready')).toBe(listeners);
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', note);
    }
  }, 60_000);

  it('reports that the connection broke while a call was in flight', async () => {
    server.pause();
    const lost = expect(incr()).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await server.kill();
    await lost;
    await expect(incr()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  }, 20_000);

  it('can be closed between two dials: rejects the callers that wait, and leaves no timer', async () => {
    await server.kill();
    await eventually('between dials', 5_000, () => redis.status === 'reconnecting');
    watchSilence(redis, { interval: 100, limit: 200 });
    const ended = once(redis, 'end');
    const waiting = whenReady(redis, 60_000);
    closeRedis(redis);
    await expect(waiting).rejects.toThrow('connection closed');
    await ended;
    expect(redis.status).toBe('end');
    await expect(incr()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    await eventually('no socket', 5_000, () => openSockets() <= before);
  }, 20_000);

  it('does not wait for a server that took the connection and then went silent', async () => {
    server.pause();
    const listener = openRedis(server.url, blockingSettings);
    const dials: number[] = [];
    listener.on('connect', () => dials.push(performance.now()));
    watchSilence(listener, { interval: 50, limit: 200 });
    await eventually('dialled again', 10_000, () => dials.length >= 3);
    server.resume();
    await eventually('ready', 10_000, () => listener.status === 'ready');
    // On a busy machine an answer may come later than the limit.
    await eventually(
      'one connection lasts three times the limit',
      20_000,
      () => listener.status === 'ready' && performance.now() - dials.at(-1)! > 600,
    );
    closeRedis(listener);
  }, 30_000);
});
