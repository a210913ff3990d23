import { describe, expect, it } from 'vitest';
import {
  fromPlannerRecord,
  toPlannerRecord,
  fromMoveRecord,
  toMoveRecord,
  type PlannerMemory,
} from './planner-state-store.js';
import { MOVE_TIMEOUT, type StreamMove } from '@detector-cluster/placement/internal';

const memory: PlannerMemory = {
  state: {
    rebalancing: { since: 1, left: 2 },
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
        rebalancing: { since: ahead, left: 0 },
        cooldowns: [['c1', ahead]],
        round: { startedAt: ahead, moves: 99 },
        membership: { digest: 9, since: ahead },
      },
      penalties: new Map([['ws://a c1', { unitId: 'c1', workerUrl: 'ws://a', until: ahead, count: 2 }]]),
      flaps: { 'ws://b': { losses: [1, ahead], until: ahead, times: 1 } },
    };
    expect(fromPlannerRecord(toPlannerRecord(later), 1_000)).toEqual({
      state: {
        rebalancing: { since: 1_000, left: 0 },
        cooldowns: [['c1', 601_000]],
        round: { startedAt: 1_000, moves: 99 },
        membership: { digest: 9, since: 1_000 },
      },
      penalties: new Map([['ws://a c1', { unitId: 'c1', workerUrl: 'ws://a', until: 601_000, count: 2 }]]),
      flaps: { 'ws://b': { losses: [1, 1_000], until: 601_000, times: 1 } },
    });
  });
});

const move: StreamMove = {
  unitId: 'c1',
  from: 'ws://a',
  to: 'ws://b',
  reason: 'drain',
  since: 1_700_000_000_000,
  deadline: 5,
  commands: new Map([
    ['d1;c1', { specHash: 'abc', sentAt: null, attempts: 0 }],
    ['d2;c1', { specHash: 'def', sentAt: 3, attempts: 2 }],
  ]),
};

describe('the record of a move', () => {
  it('lets a successor continue, with the full timeout, and without unconfirmed subscriptions', () => {
    expect(fromMoveRecord(toMoveRecord(move, 7), 1_000)).toEqual({
      ...move,
      deadline: 1_000 + MOVE_TIMEOUT,
      commands: new Map([['d1;c1', { specHash: 'abc', sentAt: null, attempts: 0 }]]),
    });
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '"move"'],
    ['of another phase', toMoveRecord(move, 7).replace('preparing', 'dancing')],
    ['without a destination', toMoveRecord(move, 7).replace('"to":"ws://b"', '"to":""')],
  ])('is ignored when it is %s', (_what, text) => {
    expect(fromMoveRecord(text, 0)).toBeNull();
  });
});
