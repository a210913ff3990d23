import { describe, expect, it } from 'vitest';
import { codesInManual } from '../wording/codes-in-manual.fixture.js';
import { actionText, heldText, rejectionText, HOLDS, REJECTIONS, loadState } from './plan-text.js';

describe('the words of a plan', () => {
  it('exist for every reason in the manual', () => {
    const rejections = codesInManual('placement', 'Each `no` has a name', 'Units without', 'text');
    const holds = codesInManual('placement', '| limit   ', '## Moves', 'text');
    expect(Object.keys(REJECTIONS)).toEqual(rejections.filter((code) => code !== 'no'));
    expect(holds).toEqual(expect.arrayContaining(Object.keys(HOLDS)));
    expect(Object.keys(HOLDS)).toHaveLength(8);
  });

  it('say what a step does', () => {
    expect(actionText({ type: 'place', unitId: 'c', to: 'b', waits: false })).toBe('Place');
    expect(
      actionText({
        type: 'move',
        unitId: 'c',
        from: 'a',
        to: 'b',
        reason: 'drain',
        breaksFirst: true,
        waits: true,
      }),
    ).toBe('Move: its worker is being drained; stops at the old worker first; waits for capacity');
    expect(actionText({ type: 'evict', unitId: 'c', from: 'a', reason: 'from-the-future' })).toBe(
      'Stop: from-the-future',
    );
    expect(actionText({ type: 'juggle' as 'place', unitId: 'c' })).toBe('juggle');
  });

  it('say what a move waits for', () => {
    expect(heldText({ unitId: 'c', from: 'a', to: null, reason: 'drain', heldBy: 'no-room' })).toBe(
      'Planned: its worker is being drained. Waiting because no other worker can take it.',
    );
  });

  it('count the workers that refuse, most first', () => {
    expect(rejectionText({ cordoned: 1, capacity: 3 })).toBe('3 workers full, 1 worker cordoned');
    expect(rejectionText({})).toBe('no worker');
  });
});

const balance = { deviation: 0.12345, spread: 0.3, allocationSpread: 0, rebalancing: true };

describe('loadState', () => {
  const worker = { url: 'ws://w', load: 0, components: {}, allocated: 0, capacity: 1, rejects: null };
  const balanced = { ...balance, rebalancing: false };

  it.each([
    ['balanced', [null, 'cordoned']],
    ['balanced', ['capacity']],
    ['no-worker', ['cordoned', 'not-ready']],
    ['no-worker', []],
  ] as const)('is %s with workers that reject for %j', (state, reasons) => {
    const scores = reasons.map((rejects) => ({ ...worker, rejects }));
    expect(loadState({ balance: balanced, scores, unplaced: [], held: [] })).toBe(state);
    expect(loadState({ balance, scores, unplaced: [], held: [] })).toBe('rebalancing');
  });

  it('is not balanced while cameras have no worker', () => {
    const scores = [{ ...worker, rejects: 'capacity' as const }];
    const unplaced = [{ unitId: 'gate', reasons: { capacity: 1 } }];
    expect(loadState({ balance: balanced, scores, unplaced, held: [] })).toBe('unplaced');
  });

  it('is not balanced while a worker cannot be drained because the others are full', () => {
    const figures = {
      balance: balanced,
      scores: [{ ...worker, rejects: 'capacity' as const }],
      unplaced: [],
    };
    expect(loadState({ ...figures, held: [{ heldBy: 'no-room' }] })).toBe('no-room');
    expect(loadState({ ...figures, held: [{ heldBy: 'cooldown' }] })).toBe('balanced');
  });
});
