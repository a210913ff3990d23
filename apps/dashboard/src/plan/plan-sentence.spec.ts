import { describe, expect, it } from '@jest/globals';
import { codesInManual } from '../wording/codes-in-manual.fixture.js';
import { actionText, heldText, rejectionText } from './plan-sentence.js';
import { HOLDS, REJECTIONS } from './plan-text.js';

describe('the words of a plan', () => {
  it('exist for every reason in the manual', () => {
    const rejections = codesInManual('Each `no` has a name', 'Units without', 'text');
    const holds = codesInManual('| limit   ', '### Sources', 'text');
    expect(Object.keys(REJECTIONS)).toEqual(rejections.filter((code) => code !== 'no'));
    expect(holds).toEqual(expect.arrayContaining(Object.keys(HOLDS)));
    expect(Object.keys(HOLDS)).toHaveLength(7);
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
