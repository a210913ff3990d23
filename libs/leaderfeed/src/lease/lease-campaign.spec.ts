import { setImmediate } from 'node:timers/promises';
import type { ElectionState } from '@detector-cluster/election';
import { VirtualClock } from '@detector-cluster/election/testing';
import { describe, expect, it } from '@jest/globals';
import { MemoryLease, MemoryLeaseRecord } from '../test-support/memory-lease.js';
import { LeaseCampaign } from './lease-campaign.js';

const TTL = 1_000;

/** A campaign of `a` that has seen the lease of another, of which 100 ms were left; renewed since, unseen. 150 ms later. */
async function besideAnother() {
  const clock = new VirtualClock(10_000);
  const record = new MemoryLeaseRecord(clock);
  const other = { owner: 'x', candidateId: 'b', ttl: TTL };
  record.acquire({ ...other, ttl: 100, floor: 0 });
  const ending = new AbortController();
  const lease = new MemoryLease(record, clock);
  const campaign = new LeaseCampaign({
    name: 'memory',
    lease,
    timing: { lockTtl: TTL, heartbeatInterval: 300, checkInterval: 500 },
    candidateId: 'a',
    signal: ending.signal,
    consumer: ending.signal,
    floor: 0,
    clock,
    random: () => 0.9,
  });
  const states: ElectionState[] = [];
  const reading = (async () => {
    for await (const state of campaign.states()) states.push(state);
  })();
  const pass = async (duration: number) => {
    clock.advance(duration);
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  };
  await pass(0);
  record.renew(other);
  await pass(150);
  return {
    campaign,
    lease,
    states,
    pass,
    release: () => record.release(other),
    expire: () => record.renew({ ...other, ttl: 0 }),
    end: async () => {
      lease.delay = 0;
      ending.abort();
      await reading;
    },
  };
}

describe('LeaseCampaign', () => {
  it('takes a lease for released that is free after a change was told, though it was to have ended as far as was known', async () => {
    const { campaign, states, pass, release, end } = await besideAnother();
    release();
    campaign.changed();
    await pass(0);
    expect(states.at(-1)).toMatchObject({ role: 'leader', reason: 'released' });
    await end();
  });

  it('takes one for expired that ended without a word', async () => {
    const { states, pass, expire, end } = await besideAnother();
    expire();
    await pass(300);
    expect(states.at(-1)).toMatchObject({ role: 'leader', reason: 'expired' });
    await end();
  });

  it('does not take the news of its own claim for that of a release', async () => {
    const { campaign, lease, states, pass, expire, end } = await besideAnother();
    expire();
    lease.delay = 50;
    await pass(200);
    campaign.changed();
    await pass(50);
    await pass(50);
    expect(states.at(-1)).toMatchObject({ role: 'leader', reason: 'expired' });
    await end();
  });
});
