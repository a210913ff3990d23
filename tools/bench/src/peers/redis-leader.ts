import { once } from 'node:events';
import { Redis } from 'ioredis';
import Leader from 'redis-leader';
import type { LeaderLibrary } from './leader-library.js';

/** Uses the defaults: 10 s, and a check every second. Only its events tell whether it leads. */
export const redisLeader: LeaderLibrary = {
  store: 'redis',
  leaseMs: 10_000,
  join: async ({ storeUrl, lock, onElected }) => {
    const redis = new Redis(storeUrl);
    const leader = new Leader(redis, { key: lock });
    let leads = false;
    leader.on('elected', () => {
      leads = true;
      onElected();
    });
    leader.on('revoked', () => (leads = false));
    leader.on('error', () => undefined);
    leader.elect();
    return {
      isLeader: () => leads,
      leave: async () => {
        const revoked = leads ? once(leader, 'revoked') : undefined;
        leader.stop();
        await revoked;
        redis.disconnect();
      },
    };
  },
};
