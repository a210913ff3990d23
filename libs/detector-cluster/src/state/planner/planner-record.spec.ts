import { describe, expect, it } from '@jest/globals';
import { fromPlannerRecord, toPlannerRecord, type PlannerMemory } from './planner-record.js';

const memory: PlannerMemory = {
  state: {
    levelling: { since: 1, left: 2 },
    cooldowns: [['c1', 5]],
    round: { startedAt: 3, moves: 1 },
    membership: { digest: 9, since: 2 },
  },
  penalties: new Map([['ws://a c1', { unitId: 'c1', workerUrl: 'ws://a', until: 8, count: 2 }]]),
  flaps: { 'ws://b': { losses: [1, 2], until: 0, times: 0 } },
};

describe('the memory of the planner', () => {
  it('is restored as it was written', () => {
    expect(fromPlannerRecord(toPlannerRecord(memory), 10)).toEqual(memory);
  });

  it.each([null, '', '{', '[]', '{"state":{}}'])('is empty when the record is %p', (text) => {
    expect(fromPlannerRecord(text, 10)).toEqual({ state: null, penalties: new Map(), flaps: {} });
  });

  it('limits the times of a master whose clock was ahead to the latest that this process could have set', () => {
    const ahead = 10_000_000_000;
    const later: PlannerMemory = {
      state: {
        levelling: { since: ahead, left: 0 },
        cooldowns: [['c1', ahead]],
        round: { startedAt: ahead, moves: 99 },
        membership: { digest: 9, since: ahead },
      },
      penalties: new Map([['ws://a c1', { unitId: 'c1', workerUrl: 'ws://a', until: ahead, count: 2 }]]),
      flaps: { 'ws://b': { losses: [1, ahead], until: ahead, times: 1 } },
    };
    expect(fromPlannerRecord(toPlannerRecord(later), 1_000)).toEqual({
      state: {
        levelling: { since: 1_000, left: 0 },
        cooldowns: [['c1', 601_000]],
        round: { startedAt: 1_000, moves: 99 },
        membership: { digest: 9, since: 1_000 },
      },
      penalties: new Map([['ws://a c1', { unitId: 'c1', workerUrl: 'ws://a', until: 601_000, count: 2 }]]),
      flaps: { 'ws://b': { losses: [1, 1_000], until: 601_000, times: 1 } },
    });
  });
});
