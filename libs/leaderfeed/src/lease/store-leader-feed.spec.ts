import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '@detector-cluster/election/testing';
import { expect, it } from 'vitest';
import { MemoryLease, MemoryLeaseRecord } from '../test-support/memory-lease.js';
import type { FeedStore } from './feed-store.js';
import { StoreLeaderFeed } from './store-leader-feed.js';

const clock = new VirtualClock(10_000);
const nothing = () => Promise.resolve();

/** A feed over a store that has lost its data whenever the feed starts. */
class ForgetfulFeed extends StoreLeaderFeed<object> {
  protected createStore(): FeedStore {
    return {
      name: 'forgetful',
      open: nothing,
      create: nothing,
      subscribe: nothing,
      unsubscribe: nothing,
      write: nothing,
      close: nothing,
      lease: new MemoryLease(new MemoryLeaseRecord(clock), clock),
    };
  }
}

it('leads above all terms that it has seen when it is started again, even if the store has lost its data', async () => {
  const feed = new ForgetfulFeed({ id: 'a', mode: 'strict', clock });
  const terms: number[] = [];
  for (let start = 0; start < 3; start++) {
    await feed.start();
    await setImmediate();
    terms.push(feed.lease!.term);
    await feed.stop();
  }
  expect(terms).toEqual([1, 2, 3]);
});
