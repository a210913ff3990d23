import { SharedSubscriber } from '@detector-cluster/election/redis';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, TIMEOUT } from '../../eventually.fixture.js';
import { PulseListener } from './pulse-listener.js';
import type { Pulse } from './pulse.schema.js';
import { pulseOf } from './pulse.fixture.js';

const CHANNEL = 'test:dashboard:pulse';

describe('the listener for pulses', () => {
  let server: RedisService;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    redis.on('error', () => undefined);
  }, TIMEOUT);
  afterAll(async () => {
    redis.disconnect();
    await server?.stop();
  }, TIMEOUT);

  it(
    'counts invalid pulses, continues after a lost connection, and closes everything',
    async () => {
      const heard: Pulse[] = [];
      let invalid = 0;
      const subscriber = new SharedSubscriber(server.url);
      const listener = new PulseListener({
        subscriber,
        channel: CHANNEL,
        onPulse: (pulse) => heard.push(pulse),
        onInvalid: () => invalid++,
      });
      const say = (text: string) => redis.publish(CHANNEL, text);
      const listening = () => eventually(async () => expect(listener.listeningSince).not.toBeNull());
      await listening();
      for (const text of ['', '{', 'null', '{"version":2}', JSON.stringify(pulseOf('a'))]) await say(text);
      await eventually(async () => expect(heard).toEqual([pulseOf('a')]));
      expect(invalid).toBe(4);

      const before = listener.listeningSince!;
      await server.kill();
      await eventually(async () => expect(listener.listeningSince).toBeNull());
      await server.start();
      await listening();
      expect(listener.listeningSince!).toBeGreaterThan(before);
      await say(JSON.stringify(pulseOf('b')));
      await eventually(async () => expect(heard.at(-1)).toEqual(pulseOf('b')));

      listener.close();
      await eventually(async () => expect(await redis.pubsub('NUMSUB', CHANNEL)).toEqual([CHANNEL, 0]));
      subscriber.close();
    },
    2 * TIMEOUT,
  );
});
