import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.js';
import { watchStandstill } from '../../../testing/watch-standstill.js';
import { PresenceConnection } from './presence-connection.js';

describe('PresenceConnection', () => {
  let server: RedisService;
  let redis: Redis;
  let channel: string;
  let presence: PresenceConnection;
  let times: number;

  beforeAll(async () => {
    server = await startRedis();
  }, 60_000);
  afterAll(() => server.stop());
  beforeEach(() => {
    redis = new Redis(server.url);
    channel = `presence-${randomUUID()}`;
    times = 0;
    presence = new PresenceConnection(server.url, '', channel);
    presence.on('listening', () => times++);
  });
  afterEach(() => {
    presence.close();
    redis.disconnect();
  });

  const listeners = async () => {
    const own = `${channel}:${presence.incarnation}`;
    const [, ofId, , ofThis] = (await redis.pubsub('NUMSUB', channel, own)) as [
      string,
      number,
      string,
      number,
    ];
    expect(ofThis).toBe(ofId);
    return ofThis;
  };
  // The server knows of a listener before the listener itself does.
  const present = (count: number) =>
    eventually(
      `${count} listeners`,
      10_000,
      async () => (await listeners()) === count && presence.listening === count > 0,
    );

  it('is present for as long as it is open, on one connection', async () => {
    await present(1);
    const standstill = watchStandstill(1_000);
    await sleep(4_000);
    const seen = [await listeners(), times];
    if (!standstill.end()) expect(seen).toEqual([1, 1]);
    presence.close();
    await present(0);
  });

  it('comes back at once when it was cut', async () => {
    await present(1);
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await eventually('present again', 5_000, () => times === 2);
    await present(1);
  });

  it('is dialled again when the server has gone silent', async () => {
    await present(1);
    server.pause();
    await eventually('given up', 25_000, () => !presence.listening);
    server.resume();
    await eventually('present again', 10_000, () => times >= 2);
    await present(1);
  }, 60_000);
});
