import { Redlock } from '@sesamecare-oss/redlock';
import { Redis } from 'ioredis';
import { leadWhileLocked } from './lead-while-locked.js';
import type { LeaderLibrary } from './leader-library.js';

/** The library has no default; the example of its documentation uses 5 s. */
const DURATION = 5_000;

/** `using` with the default settings: 10 retries 200 to 400 ms apart, extended 0.5 s before the end. */
export const sesamecareRedlock: LeaderLibrary = {
  store: 'redis',
  leaseMs: DURATION,
  join: async ({ storeUrl, lock, onElected }) => {
    const redis = new Redis(storeUrl);
    const redlock = new Redlock([redis]);
    redlock.on('error', () => undefined);
    const candidacy = leadWhileLocked((routine) => redlock.using([lock], DURATION, routine), onElected);
    return {
      isLeader: () => candidacy.isLeader(),
      leave: async () => {
        await candidacy.leave();
        redis.disconnect();
      },
    };
  },
};
