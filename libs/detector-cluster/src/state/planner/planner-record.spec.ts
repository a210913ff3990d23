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

describe('what the planner remembers', () => {
  it('is read as it was written', () => {
    expect(fromPlannerRecord(toPlannerRecord(memory))).toEqual(memory);
  });

  it.each([null, '', '{', '[]', '{"state":{}}'])('is nothing when the record is %p', (text) => {
    expect(fromPlannerRecord(text)).toEqual({ state: null, penalties: new Map(), flaps: {} });
  });
});
