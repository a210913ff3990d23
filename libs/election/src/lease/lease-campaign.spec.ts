import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryElectionStore } from '../backends/memory/memory-election-store.js';
import type { ElectionState } from '../contract/election-backend.js';
import { RemoteLease } from '../test-support/remote-lease.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { validityOf } from '../util/clock.js';
import { CampaignMemory } from './campaign-memory.js';
import { LeaseCampaign } from './lease-campaign.js';

const TTL = 1_000;

/** A campaign of `a` 150 ms after it saw another's lease with 100 ms left. The lease was renewed since, which `a` has not seen. */
async function besideAnother() {
  const clock = new VirtualClock(10_000);
  const record = new MemoryElectionStore({ lockTtl: TTL, clock });
  const other = { owner: 'x:1', candidateId: 'b', ttl: TTL };
  record.acquire({ ...other, ttl: 100, floor: 0 });
  const ending = new AbortController();
  const lease = new RemoteLease(record);
  const memory = new CampaignMemory();
  const campaign = new LeaseCampaign({
    name: 'memory',
    store: lease,
    memory,
    timing: { lockTtl: TTL, heartbeatInterval: 300, checkInterval: 500 },
    callTimeout: TTL / 4,
    candidateId: 'a',
    signal: ending.signal,
    consumer: ending.signal,
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
    clock,
    campaign,
    lease,
    states,
    pass,
    release: () => record.release(other.owner),
    record,
    memory,
    expire: () => record.renew({ ...other, ttl: 0 }),
    end: async () => {
      lease.delay = 0;
      ending.abort();
      await reading;
    },
  };
}

describe('LeaseCampaign', () => {
  it('reports a lease as released if it is free after news of a change, even if the last known lease has expired', async () => {
    const { campaign, states, pass, release, end } = await besideAnother();
    release();
    campaign.changed();
    await pass(0);
    expect(states.at(-1)).toMatchObject({ role: 'leader', reason: 'released' });
    await end();
  });

  it('considers a lease expired that ended without an announcement', async () => {
    const { states, pass, expire, end } = await besideAnother();
    expire();
    await pass(300);
    expect(states.at(-1)).toMatchObject({ role: 'leader', reason: 'expired' });
    await end();
  });

  it('does not mistake the news of its own claim for a release', async () => {
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

  it('releases its own claim when the store applied it late', async () => {
    const { record, memory, states, pass, expire, end } = await besideAnother();
    expire();
    record.acquire({ owner: `${memory.incarnation}:0`, candidateId: 'a', ttl: 100 * TTL, floor: 0 });
    await pass(300);
    expect(states.at(-1)).toMatchObject({ role: 'leader', term: 3 });
    await end();
  });

  it('repeats a release that the store did not get before it competes again, also in the next campaign', async () => {
    const { record, memory, lease, campaign, states, pass, release, end } = await besideAnother();
    release();
    campaign.changed();
    await pass(0);
    expect(record.leader?.candidateId).toBe('a');
    lease.cut = true;
    await end();
    expect(record.leader?.candidateId).toBe('a');
    lease.cut = false;
    const released: string[] = [];
    await memory.releases.settle((owner) =>
      lease.release({ owner, candidateId: 'a', ttl: TTL }).then(() => released.push(owner)),
    );
    expect(released).toHaveLength(1);
    expect(record.leader).toBeUndefined();
    expect(memory.floor).toBe(states.flatMap((state) => (state.role === 'leader' ? state.term : [])).at(-1));
  });

  it('does not compete for a second after it has resigned, and for less time if another leads', async () => {
    const { record, campaign, states, pass, release, end } = await besideAnother();
    release();
    campaign.changed();
    await pass(0);
    await campaign.resign();
    await pass(900);
    expect(record.leader).toBeUndefined();
    await pass(100);
    expect(states.at(-1)).toMatchObject({ role: 'leader', reason: 'released' });
    await campaign.resign();
    record.acquire({ owner: 'x:2', candidateId: 'b', ttl: 100, floor: 0 });
    campaign.changed();
    await pass(0);
    expect(states.at(-1)).toMatchObject({ role: 'follower', leaderId: 'b' });
    await pass(300);
    expect(states.at(-1)).toMatchObject({ role: 'leader', reason: 'expired' });
    await end();
  });

  it('counts validity from when it asked for the lease, less the time its machine slept since', async () => {
    const { clock, lease, campaign, states, pass, release, end } = await besideAnother();
    release();
    lease.delay = 100;
    campaign.changed();
    await pass(0);
    const asked = clock.now();
    await pass(100);
    clock.stepWall(300);
    await pass(100);
    const validUntil = asked + validityOf(TTL) - 300;
    expect(states.at(-1)).toMatchObject({
      role: 'leader',
      sentAt: asked,
      validUntil,
      leaseUntil: validUntil,
    });
    lease.cut = true;
    await pass(validUntil - clock.now());
    expect(states.at(-1)).toMatchObject({ role: 'follower', leaderId: null, reason: 'expired' });
    lease.delay = 0;
    await pass(200);
    await end();
  });
});
