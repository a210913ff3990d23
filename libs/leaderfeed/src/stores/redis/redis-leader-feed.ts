import type { RedisSource } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { requireName } from '../../lease/feed-store.js';
import { StoreLeaderFeed, type StoreLeaderFeedOptions } from '../../lease/store-leader-feed.js';
import { RedisFeedStore } from './redis-feed-store.js';

export interface RedisStartOptions {
  /** Channel of the election, used for nothing else. On a Redis Cluster it needs a hash tag, as in `{leaderfeed}`. */
  readonly channel: string;
}

/**
 * An election over a channel of Redis 6.2 or newer, or Valkey. There are no `change` events: the channel serves the election only.
 */
export class RedisLeaderFeed extends StoreLeaderFeed<RedisStartOptions> {
  /** @param redis URL, options of ioredis, or an instance. The settings of an instance are copied; it is neither used nor closed. */
  constructor(
    private readonly redis: RedisSource,
    options: StoreLeaderFeedOptions = {},
  ) {
    super(options);
    if (!redis || (typeof redis !== 'string' && typeof redis !== 'object'))
      throw new TypeError(
        'redis must be a URL, options of ioredis or an ioredis instance, e.g. new Redis(url)',
      );
  }

  /** The connection that publishes, while the feed is started. */
  get pub(): Redis | undefined {
    return (this.store as RedisFeedStore | undefined)?.pub;
  }

  /** The connection that listens, while the feed is started. */
  get sub(): Redis | undefined {
    return (this.store as RedisFeedStore | undefined)?.sub;
  }

  protected createStore({ channel }: RedisStartOptions, timeout: number): RedisFeedStore {
    requireName('channel', channel);
    return new RedisFeedStore(this.redis, channel, timeout);
  }
}
