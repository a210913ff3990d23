import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { LeaderFeed } from '../../index.js';
import { describeLeaderFeed } from '../../test-support/describe-leader-feed.js';

const url = process.env.REDIS_URL!;

describeLeaderFeed('Redis', async () => {
  const server = Number(new URL(url).port);
  const channel = `feed-${randomUUID()}`;
  const proxy = await TcpProxy.to(server);
  const feed = (port: number, options: object) => {
    const source = { host: '127.0.0.1', port };
    const made = new LeaderFeed.Redis(source, options);
    const start = made.start.bind(made);
    return { made: Object.assign(made, { start: () => start({ channel }) }), source };
  };
  return {
    createFeed: (options) => feed(proxy.port, options).made,
    createBroken(options) {
      const { made, source } = feed(1, options);
      return {
        feed: made,
        heal: async () => {
          source.port = server;
        },
      };
    },
    cutConnections: async () => proxy.cutOnce(),
    async dispose() {
      await proxy.stop();
      const redis = new Redis(url);
      await redis.del(`${channel}:lease`);
      redis.disconnect();
    },
  };
});

describe('LeaderFeed.Redis', () => {
  let redis: Redis;
  beforeEach(() => {
    redis = new Redis(url);
  });
  afterEach(() => {
    redis.disconnect();
  });

  it('names the invalid arguments', async () => {
    expect(() => new LeaderFeed.Redis(undefined as never)).toThrow('redis must be a URL');
    await expect(new LeaderFeed.Redis(url).start({} as never)).rejects.toThrow(
      "start: channel must be a name, for example { channel: 'leaderfeed' }",
    );
  });

  it('uses the settings of an instance, not the instance, and shows its own connections', async () => {
    const feed = new LeaderFeed.Redis(redis);
    expect([feed.pub, feed.sub]).toEqual([undefined, undefined]);
    await feed.start({ channel: `feed-${randomUUID()}` });
    expect(feed.pub).toBeInstanceOf(Redis);
    expect(feed.sub).toBeInstanceOf(Redis);
    await feed.stop();
    expect([feed.pub, feed.sub]).toEqual([undefined, undefined]);
    expect(await redis.ping()).toBe('PONG');
  });

  it('ignores messages that are not records', async () => {
    const channel = `feed-${randomUUID()}`;
    const feed = new LeaderFeed.Redis(url, { heartbeatIntervalMs: 50 });
    await feed.start({ channel });
    for (const message of ['', '{', '[]', '{"leader":5}', '{"leader":"x","by":"x","kind":"elect"}', 'null'])
      await redis.publish(channel, message);
    await eventually('it leads', 15_000, () => feed.isLeader);
    expect(feed.leader).toBe(feed.id);
    await feed.stop();
  });
});
