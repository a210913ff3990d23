import { describe, expect, it } from '@jest/globals';
import { fromMoveRecord, toMoveRecord } from './move-record.js';
import { MOVE_TIMEOUT, type StreamMove } from './stream-move.js';

const move: StreamMove = {
  unitId: 'c1',
  from: 'ws://a',
  to: 'ws://b',
  reason: 'drain',
  since: 1_700_000_000_000,
  deadline: 5,
  told: new Map([
    ['d1;c1', { specHash: 'abc', sentAt: null, attempts: 0 }],
    ['d2;c1', { specHash: 'def', sentAt: 3, attempts: 2 }],
  ]),
};

describe('the record of a move', () => {
  it('lets a successor continue, with the full timeout, and without unconfirmed subscriptions', () => {
    expect(fromMoveRecord(toMoveRecord(move, 7), 1_000)).toEqual({
      ...move,
      deadline: 1_000 + MOVE_TIMEOUT,
      told: new Map([['d1;c1', { specHash: 'abc', sentAt: null, attempts: 0 }]]),
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
