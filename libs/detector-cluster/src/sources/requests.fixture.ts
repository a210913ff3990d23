import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { ExplicitSubscriptionStore } from './explicit-subscription-store.js';
import { HeldRequests, type HeldRequestsOptions } from './held-requests.js';
import type { Requester } from './stored-subscription.js';
import type { Opener } from './stream-secrets.js';
import type { SecretBox } from './secret-box.js';
import { TermRequests } from './term-requests.js';

/** The only process, unless a test has others. */
export const REQUESTER: Requester = { processId: 'p', bootId: 'p-1' };

export const heldRequests = (
  redis: Redis,
  keys: ClusterKeys,
  options: Partial<HeldRequestsOptions> = {},
): HeldRequests => {
  const held = new HeldRequests({
    redis,
    keys,
    requester: REQUESTER,
    onChange: () => undefined,
    logger: { log: () => undefined, warn: () => undefined, debug: () => undefined },
    timer: {
      repeat: (look, interval) => {
        const timer = setInterval(look, interval).unref();
        return () => clearInterval(timer);
      },
    },
    ...options,
  });
  held.start();
  return held;
};

export const requestStore = (
  redis: Redis,
  keys: ClusterKeys,
  box: SecretBox | null,
  held = heldRequests(redis, keys),
): ExplicitSubscriptionStore => new ExplicitSubscriptionStore(redis, keys, box, held);

/** Requests as a master reads them that cannot open what requesters hold, unless it has an opener. */
export const readOf = (
  explicit: ExplicitSubscriptionStore,
  opener: Opener = { open: () => null },
): TermRequests => new TermRequests({ explicit, opener, processes: () => Promise.resolve([REQUESTER]) });
