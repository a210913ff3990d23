import { expect, it } from 'vitest';
import { CampaignMemory } from '../../../lease/campaign-memory.js';
import type { ElectionState } from '../../../contract/election-backend.js';
import { turns } from '../../../test-support/turns.js';
import { VirtualClock } from '../../../testing/virtual-clock.js';
import { Condition } from '../../../util/condition.js';
import type { LeaseReply, LeaseStore } from '../lease/lease-store.js';
import { resolveRedisElectionOptions } from '../redis-election-options.js';
import { RedisCampaign } from './redis-campaign.js';

const held: LeaseReply = {
  kind: 'held',
  owner: 'b:x:1',
  term: 7,
  mode: 'lease',
  seq: '1',
  validity: 100,
  absent: false,
  ttl: 100,
};

/** A campaign whose store answers when, and what, a test wants. */
function campaignOfA() {
  const clock = new VirtualClock(10_000);
  const ending = new AbortController();
  const options = resolveRedisElectionOptions({
    redis: 'redis://unused',
    clock,
    crashDetection: 'lease',
    random: () => 0.9,
  });
  const answers: ((reply: LeaseReply) => void)[] = [];
  const call = () => new Promise<LeaseReply>((answer) => answers.push(answer));
  const store: LeaseStore = { acquire: call, read: call, confirm: call, release: () => Promise.resolve() };
  const campaign = new RedisCampaign({
    store,
    options,
    candidate: { id: 'a' },
    memory: new CampaignMemory('x'),
    signal: ending.signal,
    condition: new Condition(clock),
    presence: undefined,
  });
  const states: ElectionState[] = [];
  const reading = (async () => {
    for await (const state of campaign.states()) states.push(state);
  })();
  return {
    clock,
    campaign,
    states,
    answer: async (reply: LeaseReply) => {
      await turns();
      answers.shift()!(reply);
      await turns();
    },
    end: async () => {
      ending.abort();
      await reading;
    },
  };
}

it('does not mistake an expired lease for a released one, even if it learned late how long the lease lasts', async () => {
  const { clock, campaign, states, answer, end } = campaignOfA();
  await turns();
  clock.advance(50);
  await answer(held);
  clock.advance(55);
  campaign.lookAgain();
  await answer({ kind: 'vacant', term: 7 });
  await answer({ kind: 'granted', term: 8, mode: 'lease', seen: false });
  expect(states.at(-1)).toMatchObject({ role: 'leader', term: 8, reason: 'expired' });
  await end();
});

it.each([
  ['takes it for released when its release was heard', { term: 7, owner: 'b:x:1' }, 'released'],
  [
    'takes it for expired when the release heard was of an earlier term',
    { term: 6, owner: 'c:x:1' },
    'expired',
  ],
])('of a lease that was to have ended as far as was known: %s', async (_what, { term, owner }, reason) => {
  const { clock, campaign, states, answer, end } = campaignOfA();
  await answer(held);
  clock.advance(150);
  campaign.hear({ term, owner, reason: 'released' });
  await answer({ kind: 'granted', term: 8, mode: 'lease', seen: false });
  expect(states.at(-1)).toMatchObject({ role: 'leader', term: 8, reason });
  await end();
});
