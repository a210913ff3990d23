import { expect, it } from '@jest/globals';
import type { ElectionState } from '../../../contract/election-state.js';
import { turns } from '../../../test-support/turns.js';
import { VirtualClock } from '../../../testing/virtual-clock.js';
import { resolvePostgresElectionOptions } from '../postgres-election-options.js';
import type { LeaseView, PostgresLeaseStore } from '../store/postgres-lease-store.js';
import { PostgresCampaign } from './postgres-campaign.js';

/** A campaign over a row that a test sets, while another holds a lease that lasts 100 ms as far as `a` has seen. */
async function afterLookAt(view: LeaseView) {
  const clock = new VirtualClock(10_000);
  const ending = new AbortController();
  let row = view;
  const store = {
    prepare: () => Promise.resolve(),
    acquire: () => Promise.resolve(row.owner === null ? row.term + 1 : undefined),
    renew: () => Promise.resolve(true),
    release: () => Promise.resolve(),
    look: () => Promise.resolve(row),
  } as unknown as PostgresLeaseStore;
  const campaign = new PostgresCampaign({
    store,
    options: resolvePostgresElectionOptions({
      postgres: 'postgres://unused',
      clock,
      random: () => 0.9,
    }),
    memory: { floor: 0, owed: new Set() },
    candidateId: 'a',
    signal: ending.signal,
    consumer: ending.signal,
  });
  const states: ElectionState[] = [];
  const reading = (async () => {
    for await (const state of campaign.states()) states.push(state);
  })();
  await turns();
  clock.advance(150);
  await turns();
  row = { owner: null, candidateId: null, term: view.term, ttl: 0 };
  return {
    clock,
    campaign,
    states,
    end: async () => {
      ending.abort();
      await reading;
    },
  };
}

const held: LeaseView = { owner: 'x', candidateId: 'b', term: 7, ttl: 100 };

it('takes a lease whose release it heard for a released one, though it was to have ended as far as was known', async () => {
  const { campaign, states, end } = await afterLookAt(held);
  campaign.hear({ name: 'master-election', term: 7, candidate: null });
  await turns();
  expect(states.at(-1)).toMatchObject({ role: 'leader', term: 8, reason: 'released' });
  await end();
});

it('takes one that ended unheard for an expired one', async () => {
  const { clock, states, end } = await afterLookAt(held);
  clock.advance(300);
  await turns();
  expect(states.at(-1)).toMatchObject({ role: 'leader', term: 8, reason: 'expired' });
  await end();
});
