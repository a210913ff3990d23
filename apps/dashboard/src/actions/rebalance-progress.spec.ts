import { describe, expect, it } from '@jest/globals';
import { movesOf, rebalanceProgress } from './rebalance-progress.js';

const row = (subscriptionIdentifier: string, workerUrl: string) => ({
  subscriptionIdentifier,
  workerUrl,
  model: null,
  status: 'active' as const,
  reason: '',
  since: '',
});

describe('the progress of a rebalance', () => {
  const moves = movesOf({
    actions: [
      { type: 'move', unitId: 'a', from: 'ws://1', to: 'ws://2' },
      { type: 'place', unitId: 'new', to: 'ws://1' },
    ],
    held: [
      { unitId: 'b', from: 'ws://1', to: 'ws://3', reason: '', heldBy: '' },
      { unitId: 'c', from: 'ws://1', to: null, reason: '', heldBy: '' },
    ],
  });
  const progress = (a: string, otherOfA: string, b: string, now = 1_000) =>
    rebalanceProgress(
      { begunAt: 1_000, moves },
      { 1: row('d;a', a), 2: row('e;a', otherOfA), 3: row('d;b', b), 4: row('d;c', 'ws://1') },
      now,
    );

  it('counts the cameras whose subscriptions all run on the planned worker', () => {
    expect([...moves]).toEqual([
      ['a', 'ws://2'],
      ['b', 'ws://3'],
    ]);
    expect(progress('ws://1', 'ws://1', 'ws://1')).toEqual({ moved: 0, total: 2 });
    expect(progress('ws://2', 'ws://1', 'ws://1')).toEqual({ moved: 0, total: 2 });
    expect(progress('ws://2', 'ws://2', 'ws://1')).toEqual({ moved: 1, total: 2 });
    expect(progress('ws://2', 'ws://2', 'ws://3')).toEqual({ moved: 2, total: 2 });
  });

  it('is not shown without moves, and no longer than 10 minutes', () => {
    expect(progress('ws://1', 'ws://1', 'ws://1', 601_000)).toEqual({ moved: 0, total: 2 });
    expect(progress('ws://1', 'ws://1', 'ws://1', 601_001)).toBeNull();
    expect(rebalanceProgress({ begunAt: 0, moves: new Map() }, {}, 0)).toBeNull();
    expect(rebalanceProgress(null, {}, 0)).toBeNull();
  });
});
