import type { RedisSource } from '@detector-cluster/election/redis';
import { LeaseElectionBackend, type LeaseElectionOptions } from '../../lease/lease-election-backend.js';
import { RedisFeedStore } from './redis-feed-store.js';

export interface RedisFeedElectionOptions extends LeaseElectionOptions {
  /** Candidates with the same channel compete. Default `leaderfeed`; on a Redis Cluster `{leaderfeed}`. */
  readonly channel?: string;
}

/**
 * Strict elections over a key and a channel of Redis, the same as `LeaderFeed.Redis` in strict mode. A dead leader is replaced
 * after `lockTtl`. `RedisElectionBackend` of `@detector-cluster/election/redis` replaces one in about a second.
 */
export class RedisFeedElectionBackend extends LeaseElectionBackend {
  /** @param redis URL, options of ioredis, or an instance. The settings of an instance are copied; it is neither used nor closed. */
  constructor(redis: RedisSource, options: RedisFeedElectionOptions = {}) {
    const { channel = 'leaderfeed' } = options;
    super((timeout) => new RedisFeedStore(redis, channel, timeout), options);
  }
}
