import { beforeEach, describe, expect, it } from 'vitest';
import { readRebalance, RebalanceRecord, type RebalanceFacts } from './rebalance-record.js';

const KEY = 'worker:rebalance';

const move = (unitId: string, reason = 'balance') => ({
  type: 'move' as const,
  unitId,
  from: 'a',
  to: 'b',
  reason: reason as 'balance',
  breaksFirst: false,
  waits: false,
});

const held = (unitId: string, heldBy: string, to: string | null = 'b') => ({
  unitId,
  from: 'a',
  to,
  reason: 'balance' as const,
  heldBy: heldBy as 'budget',
});

const ended = (outcome: string, reason = 'balance') => ({ move: { reason: reason as 'balance' }, outcome });

describe('RebalanceRecord', () => {
  let stored: string | null;
  let writes: number;
  let fails: boolean;
  let record: RebalanceRecord;

  beforeEach(() => {
    stored = null;
    writes = 0;
    fails = false;
    record = open();
  });

  const store = {
    write: async ([command]: readonly (readonly unknown[])[]) => {
      if (fails) throw new Error('away');
      writes++;
      stored = String(command![2]);
      return [];
    },
  };
  const open = () => new RebalanceRecord(store as never, { rebalance: KEY } as never);
  const progress = () => readRebalance(stored);
  const look = (
    facts: Partial<RebalanceFacts['plan']> & Partial<RebalanceFacts> & { rebalancing?: boolean },
  ) =>
    record.look({
      plan: {
        actions: facts.actions ?? [],
        held: facts.held ?? [],
        balance: { deviation: 0, spread: 0, allocationSpread: 0, rebalancing: facts.rebalancing ?? false },
      },
      moves: facts.moves ?? new Map(),
      ended: facts.ended ?? [],
      paused: facts.paused ?? false,
    });

  it('writes nothing before a rebalance was requested', async () => {
    await look({ actions: [move('c1')] });
    expect(writes).toBe(0);
  });

  it('counts what was moved and what is left, until nothing is', async () => {
    record.begin('anna');
    await look({
      rebalancing: true,
      actions: [move('c1'), move('c9', 'drain')],
      held: [held('c2', 'budget'), held('c3', 'no-room', null), held('c4', 'resting')],
    });
    expect(progress()).toEqual({
      by: 'anna',
      since: expect.any(String),
      moved: 0,
      left: 2,
      endedAt: null,
    });
    await look({
      rebalancing: true,
      moves: new Map([['c2', { reason: 'balance' }]]),
      ended: [ended('finished')],
    });
    expect(progress()).toMatchObject({ moved: 1, left: 1, endedAt: null });
    // The plan may continue.
    await look({ rebalancing: true, ended: [ended('failed'), ended('finished', 'drain')] });
    expect(progress()).toMatchObject({ moved: 1, left: 0, endedAt: null });
    await look({ ended: [ended('taken-over')] });
    expect(progress()).toMatchObject({ moved: 2, left: 0, endedAt: expect.any(String) });
    const done = progress();
    await look({ actions: [move('c5')], ended: [ended('finished')] });
    expect(progress()).toEqual(done);
  });

  it('is over when the plan has made all moves that it may', async () => {
    record.begin('anna');
    await look({ rebalancing: true, held: [held('c4', 'resting')] });
    expect(progress()).toMatchObject({ left: 0, endedAt: expect.any(String) });
  });

  it('continues under the next master', async () => {
    record.begin(null);
    await look({ rebalancing: true, actions: [move('c1')], ended: [ended('finished')] });
    record = open();
    await record.load({ get: async () => stored } as never);
    await look({ ended: [ended('finished')] });
    expect(progress()).toMatchObject({ by: null, moved: 2, endedAt: expect.any(String) });
  });

  it('writes a change once, and again after Redis was unavailable or lost it', async () => {
    record.begin('anna');
    fails = true;
    await look({ rebalancing: true });
    fails = false;
    await look({ rebalancing: true });
    await look({ rebalancing: true });
    expect(writes).toBe(1);
    record.invalidate();
    await look({ rebalancing: true });
    expect(writes).toBe(2);
  });

  it('continues while a new master has not heard all workers', async () => {
    record.begin('anna');
    await look({ rebalancing: true, held: [held('c1', 'budget')] });
    record = open();
    await record.load({ get: async () => stored } as never);
    await look({ paused: true });
    expect(progress()).toMatchObject({ left: 1, endedAt: null });
    await look({});
    expect(progress()).toMatchObject({ left: 0, endedAt: expect.any(String) });
  });

  it('reads nothing from an invalid record', () => {
    for (const text of [null, '{', '{}', 'null', '{"by":1}']) expect(readRebalance(text)).toBeNull();
  });
});
