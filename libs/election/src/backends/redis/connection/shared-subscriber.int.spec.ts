import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, TcpProxy, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.js';
import { SharedSubscriber } from './shared-subscriber.js';

describe('SharedSubscriber', () => {
  let server: RedisService;
  let redis: Redis;
  let subscriber: SharedSubscriber;
  let errors: Error[];

  beforeAll(async () => {
    server = await startRedis();
  }, 60_000);
  afterAll(() => server.stop());
  beforeEach(() => {
    redis = new Redis(server.url);
    redis.on('error', () => undefined);
    errors = [];
    subscriber = new SharedSubscriber(server.url, (error) => errors.push(error));
  });
  afterEach(() => {
    subscriber.close();
    redis.disconnect();
  });

  /** A listener of some channels that records its messages. */
  const listener = (...channels: string[]) => {
    const state = { heard: [] as string[], subscribed: 0, lost: 0 };
    const handlers = channels.map((channel) => [
      channel,
      (message: string) => void state.heard.push(`${channel} ${message}`),
    ]);
    const leave = subscriber.listen(
      Object.fromEntries(handlers),
      () => state.subscribed++,
      () => state.lost++,
    );
    return {
      state,
      leave,
      stands: (times: number) =>
        eventually(`subscribed ${times} times`, 10_000, () => state.subscribed >= times),
      hears: (text: string) => eventually(text, 5_000, () => state.heard.includes(text)),
    };
  };
  const counts = async (...channels: string[]) => {
    const reply = (await redis.pubsub('NUMSUB', ...channels)) as (string | number)[];
    return channels.map((_channel, index) => Number(reply[index * 2 + 1]));
  };
  const connections = async () => ((await redis.client('LIST', 'TYPE', 'PUBSUB')) as string).match(/^id=/gm);
  const cut = () => redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');

  it('serves many listeners over one connection, also those added while it is open', async () => {
    const first = listener('a', 'b');
    await first.stands(1);
    const second = listener('b', 'c');
    await second.stands(1);
    for (const [index, channel] of ['a', 'b', 'c'].entries())
      expect(await redis.publish(channel, String(index + 1))).toBe(1);
    await second.hears('c 3');
    expect(first.state).toEqual({ heard: ['a 1', 'b 2'], subscribed: 1, lost: 0 });
    expect(second.state).toEqual({ heard: ['b 2', 'c 3'], subscribed: 1, lost: 0 });
    expect(await connections()).toHaveLength(1);
  });

  it('opens no connection without a listener', async () => {
    await sleep(100);
    expect(await connections()).toBeNull();
  });

  it('unsubscribes a channel with its last listener, and keeps the connection', async () => {
    const first = listener('a', 'b');
    const second = listener('b');
    await first.stands(1);
    await second.stands(1);
    first.leave();
    await eventually('a is unsubscribed', 5_000, async () => String(await counts('a', 'b')) === '0,1');
    await redis.publish('b', '1');
    await second.hears('b 1');
    second.leave();
    await eventually('b is unsubscribed', 5_000, async () => String(await counts('a', 'b')) === '0,0');
    expect(first.state.heard).toEqual([]);
    const third = listener('b');
    await third.stands(1);
    await redis.publish('b', '2');
    await third.hears('b 2');
  });

  it('leaves no channel subscribed by a listener that left before its subscription stood', async () => {
    const stays = listener('stays');
    listener('a').leave();
    await stays.stands(1);
    const left = listener('b');
    left.leave();
    const back = listener('a');
    await back.stands(1);
    expect(await counts('a', 'b')).toEqual([1, 0]);
    expect(left.state.subscribed).toBe(0);
    await redis.publish('a', '1');
    await back.hears('a 1');
  });

  it('subscribes all channels of the listeners that are left after each cut, and notifies each listener once', async () => {
    const first = listener('a');
    const second = listener('b', 'c');
    const gone = listener('d');
    for (const one of [first, second, gone]) await one.stands(1);
    gone.leave();
    for (let times = 2; times <= 4; times++) {
      await cut();
      await first.stands(times);
      await second.stands(times);
      await redis.publish('a', `${times}`);
      await redis.publish('c', `${times}`);
      await first.hears(`a ${times}`);
      await second.hears(`c ${times}`);
    }
    expect([first.state.subscribed, second.state.subscribed, gone.state.subscribed]).toEqual([4, 4, 1]);
    expect([first.state.lost, second.state.lost, gone.state.lost]).toEqual([3, 3, 0]);
    expect(await counts('a', 'b', 'c', 'd')).toEqual([1, 1, 1, 0]);
    expect(await connections()).toHaveLength(1);
  });

  it('keeps listeners that join and leave while connections are cut at any instant', async () => {
    const stays = listener('stays');
    await stays.stands(1);
    for (let round = 0; round < 30; round++) {
      const passing = listener('passing', 'stays');
      const cutting = cut();
      if (round % 2 === 0) await sleep(round % 7);
      passing.leave();
      await cutting;
    }
    const late = listener('late');
    await late.stands(1);
    await eventually('only these are subscribed', 5_000, async () => {
      return String(await counts('stays', 'passing', 'late')) === '1,0,1';
    });
    await redis.publish('stays', 'end');
    await stays.hears('stays end');
    expect(await connections()).toHaveLength(1);
  }, 30_000);

  it('drops a subscription that is sent again after a cut when its listener has left in between', async () => {
    const proxy = await TcpProxy.to(server.url);
    subscriber = new SharedSubscriber(`redis://127.0.0.1:${proxy.port}`);
    try {
      const stays = listener('stays');
      await stays.stands(1);
      for (let times = 2; times <= 5; times++) {
        proxy.cut();
        const left = listener('left');
        proxy.mend();
        proxy.cutOnce();
        await sleep(10);
        left.leave();
        await stays.stands(times);
        await eventually('unsubscribed', 5_000, async () => String(await counts('left')) === '0');
      }
    } finally {
      subscriber.close();
      await proxy.stop();
    }
  });

  it('comes back after a restart of the server, and with a server that was absent at the start', async () => {
    await server.kill();
    const first = listener('a');
    await sleep(300);
    expect(first.state.subscribed).toBe(0);
    await server.start();
    await first.stands(1);
    await server.restart({ downFor: 300 });
    await first.stands(2);
    await eventually('a message arrives', 5_000, async () => {
      await redis.publish('a', 'x').catch(() => undefined);
      return first.state.heard.length > 0;
    });
  }, 30_000);

  it('dials again when the server has gone silent', async () => {
    const one = listener('a');
    await one.stands(1);
    server.pause();
    await eventually('the connection is given up', 25_000, () => one.state.lost > 0);
    server.resume();
    await one.stands(2);
    expect(await connections()).toHaveLength(1);
  }, 60_000);

  it('reports a channel that the server refuses, and serves the others', async () => {
    await redis.call('ACL', 'SETUSER', 'limited', 'on', '>pw', '+@all', '~*', 'resetchannels', '&allowed');
    const url = new URL(server.url);
    url.username = 'limited';
    url.password = 'pw';
    subscriber = new SharedSubscriber(url.href, (error) => errors.push(error));
    const refused = listener('forbidden');
    const served = listener('allowed');
    await served.stands(1);
    await eventually('the refusal is reported', 5_000, () => errors.length > 0);
    expect(errors[0]).toMatchObject({ code: 'NOPERM' });
    await redis.publish('allowed', '1');
    await served.hears('allowed 1');
    expect(refused.state.subscribed).toBe(0);
    expect(await connections()).toHaveLength(1);
  });

  it('reports what a handler throws, and calls the other handlers', async () => {
    subscriber.listen({
      a: () => {
        throw new Error('broken');
      },
    });
    const other = listener('a');
    await other.stands(1);
    await redis.publish('a', '1');
    await other.hears('a 1');
    expect(errors).toMatchObject([
      { message: 'a listener of a failed: Error: broken', cause: { message: 'broken' } },
    ]);
  });

  it('calls nothing after it was closed, also while the server is absent', async () => {
    const one = listener('a');
    await one.stands(1);
    subscriber.close();
    subscriber.close();
    one.leave();
    await eventually('no connection', 5_000, async () => (await connections()) === null);
    const late = listener('a');
    await redis.publish('a', '1');
    await sleep(50);
    expect([one.state.heard, late.state]).toEqual([[], { heard: [], subscribed: 0, lost: 0 }]);
    subscriber = new SharedSubscriber('redis://127.0.0.1:1');
    listener('a');
    await sleep(100);
    subscriber.close();
  });
});
