import { Redis } from 'ioredis';
import { createLock, IoredisAdapter } from 'redlock-universal';
import { leadWhileLocked } from './lead-while-locked.js';
import type { LeaderLibrary } from './leader-library.js';

/** `using` with the defaults: 30 s, 3 retries 100 ms apart. */
export const redlockUniversal: LeaderLibrary = {
  store: 'redis',
  leaseMs: 30_000,
  join: async ({ storeUrl, lock, onElected }) => {
    const redis = new Redis(storeUrl);
    const redlock = createLock({ adapter: new IoredisAdapter(redis), key: lock });
    const candidacy = leadWhileLocked((routine) => redlock.using(routine), onElected);
    return {
      isLeader: () => candidacy.isLeader(),
      leave: async () => {
        await candidacy.leave();
        redis.disconnect();
      },
    };
  },
};
