import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ElectionState } from '../../../contract/election-backend.js';
import { turns } from '../../../test-support/turns.js';
import { VirtualClock } from '../../../testing/virtual-clock.js';
import { instantOf } from '../../../util/clock.js';
import { Condition } from '../../../util/condition.js';
import type { ClaimedLease, LeaseReply, LeaseStore } from '../lease/lease-store.js';
import { resolveRedisElectionOptions } from '../redis-election-options.js';
import { Backoff } from '../../../util/backoff.js';
import { CampaignMemory } from '../../../lease/campaign-memory.js';
import { type CampaignContext, type Ending, LeaseRenewer } from './lease-renewer.js';
import { Claim } from './claim.js';

const granted: LeaseReply = { kind: 'granted', term: 7, mode: 'presence', seen: true };

describe('LeaseRenewer after a new connection', () => {
  let clock: VirtualClock;
  let calls: { claimed: ClaimedLease; answer: (reply: LeaseReply) => void }[];
  let context: CampaignContext;
  let claim: Claim;
  let renewer: LeaseRenewer;
  let ending: AbortController;
  let states: ElectionState[];
  let ended: Promise<Ending | undefined>;

  beforeEach(() => {
    ending = new AbortController();
    clock = new VirtualClock(10_000);
    calls = [];
    states = [];
    const options = resolveRedisElectionOptions({ redis: 'redis://unused', clock });
    const store = {
      confirm: (claimed: ClaimedLease) =>
        new Promise<LeaseReply>((answer) => calls.push({ claimed, answer })),
    } as Partial<LeaseStore> as LeaseStore;
    claim = new Claim('a:1', 7, options, clock);
    claim.confirm(instantOf(clock), { mode: 'presence', seen: true });
    claim.sendAt = clock.now() + options.confirmInterval;
    const { signal } = ending;
    context = {
      store,
      options,
      candidate: { id: 'a' },
      memory: new CampaignMemory('x'),
      signal,
      condition: new Condition(clock),
      presence: undefined,
    };
    renewer = new LeaseRenewer(context, claim, new Backoff(() => 0));
    ended = read(renewer.states('vacant'));
  });
  afterEach(async () => {
    ending.abort();
    await ended;
  });

  const read = async (keeping: AsyncGenerator<ElectionState, Ending | undefined>) => {
    for (;;) {
      const next = await keeping.next();
      if (next.done) return next.value;
      states.push(next.value);
    }
  };
  const pass = async (duration: number) => {
    await turns();
    for (let left = duration; left > 0; left -= 50) {
      clock.advance(50);
      await turns();
    }
  };
  const validUntil = () =>
    Math.max(...states.map((state) => (state.role === 'leader' ? state.validUntil : 0)));

  it('says how long ago it was confirmed until that is answered, even with several calls in flight', async () => {
    await pass(500);
    renewer.confirmNow(true);
    calls.length = 0;
    await pass(200);
    expect(calls.map(({ claimed }) => claimed.lapsedFor)).toEqual([600, 700]);
    calls[0]!.answer(granted);
    await pass(100);
    expect(calls.at(-1)!.claimed.lapsedFor).toBe(0);
  });

  it('reports no gap while it is valid: no other candidate can have been elected', async () => {
    await pass(200);
    renewer.confirmNow(true);
    await pass(100);
    expect(calls.at(-1)!.claimed.lapsedFor).toBe(0);
  });

  it('does not count earlier confirmations, because they did not report it', async () => {
    await pass(350);
    expect(calls).not.toHaveLength(0);
    renewer.confirmNow(true);
    for (const { answer } of calls) answer(granted);
    await pass(50);
    expect(validUntil()).toBe(10_400);
  });

  it('has the store drop a change of mode that it gives up, and acts as short as before until that is answered', async () => {
    const lease: LeaseReply = { kind: 'granted', term: 7, mode: 'lease', seen: true };
    const { options } = context;
    claim.confirm(instantOf(clock), { mode: 'lease', seen: true });
    claim.want('presence');
    claim.suspend();
    renewer.confirmNow(false);
    context.condition.notify();
    await pass(50);
    expect(calls.at(-1)!.claimed.change).toEqual({ mode: 'presence', number: 1 });
    calls.at(-1)!.answer({ kind: 'unseen' });
    await pass(50);
    const givenUp = calls.at(-1)!;
    expect(givenUp.claimed.change).toEqual({ mode: 'lease', number: 2 });
    expect(claim.restsOnPresence).toBe(true);
    givenUp.answer(lease);
    await pass(50);
    expect([claim.restsOnPresence, claim.change]).toEqual([false, undefined]);
    expect(validUntil()).toBeGreaterThan(clock.now() + options.lockTtl / 2);
  });

  it('ends when the store has restarted since it was confirmed', async () => {
    await pass(500);
    renewer.confirmNow(true);
    calls.length = 0;
    await pass(100);
    calls[0]!.answer({ kind: 'restarted', wait: 0 });
    expect(await ended).toEqual({ reason: 'refused', leaderId: null, term: 7 });
  });
});
