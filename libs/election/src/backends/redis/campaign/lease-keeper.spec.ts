import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '../../../testing/virtual-clock.js';
import { Waker } from '../../../util/waker.js';
import type { LeaseReply } from '../lease/lease-reply.js';
import type { ClaimedLease, LeaseStore } from '../lease/lease-store.js';
import { resolveRedisElectionOptions } from '../redis-election-options.js';
import { Backoff } from './backoff.js';
import { Claim } from './claim.js';
import { LeaseKeeper } from './lease-keeper.js';

const granted: LeaseReply = { kind: 'granted', term: 7, mode: 'presence', seen: true };

describe('LeaseKeeper', () => {
  it('asks the store to look at its age until it has, though several confirmations are under way', async () => {
    const ending = new AbortController();
    const clock = new VirtualClock(10_000);
    const options = resolveRedisElectionOptions({ redis: 'redis://unused', clock });
    const calls: { claimed: ClaimedLease; answer: (reply: LeaseReply) => void }[] = [];
    const store = {
      confirm: (claimed: ClaimedLease) =>
        new Promise<LeaseReply>((answer) => calls.push({ claimed, answer })),
    } as Partial<LeaseStore> as LeaseStore;
    const claim = new Claim('a:1', 7, options, clock);
    claim.confirm({ monotonic: clock.now(), wall: clock.wallNow() }, { mode: 'presence', seen: true });
    const keeper = new LeaseKeeper(
      {
        store,
        options,
        candidate: { id: 'a' },
        signal: ending.signal,
        waker: new Waker(clock),
        presence: undefined,
      },
      claim,
      new Backoff(() => 0),
    );
    const states: unknown[] = [];
    const reading = (async () => {
      for await (const state of keeper.states('vacant')) states.push(state);
    })();
    const pass = async () => {
      clock.advance(options.confirmInterval);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    };

    await pass();
    calls.length = 0;
    keeper.confirmNow(true);
    await pass();
    await pass();
    await pass();
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.map(({ claimed }) => claimed.reconnected)).not.toContain(false);

    calls[0]!.answer({ kind: 'restarted', wait: 1_000 });
    calls[1]!.answer(granted);
    for (let turn = 0; turn < 4; turn++) await pass();
    expect(calls.at(-1)!.claimed.reconnected).toBe(false);
    expect(states).toContainEqual(expect.objectContaining({ role: 'leader', term: 7 }));
    ending.abort();
    await reading;
  });
});
