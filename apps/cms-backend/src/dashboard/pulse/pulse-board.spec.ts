import { describe, expect, it } from 'vitest';
import { PulseBoard } from './pulse-board.js';
import { pulseOf } from './pulse.fixture.js';

const NO_OWNERS = new Map<string, number[]>();

const ids = (board: PulseBoard, now: number, listeningSince: number | null = -2_000) =>
  Object.keys(board.rows(now, listeningSince, NO_OWNERS)).sort();

describe('PulseBoard', () => {
  it('shows the last pulse of each process of the last 5 s', () => {
    const board = new PulseBoard();
    board.hear(pulseOf('a', { delivered: 1 }), 0);
    board.hear(pulseOf('b'), 1_000);
    board.hear(pulseOf('a', { delivered: 2 }), 2_000);
    expect(board.rows(6_000, -2_000, new Map([['a', [0, 2, 7]]]))).toMatchObject({
      a: { processId: 'a', delivered: 2, partitions: [0, 2, 7] },
      b: { processId: 'b', partitions: [] },
    });
    expect(ids(board, 6_001)).toEqual(['a']);
    expect(ids(board, 7_001)).toEqual([]);
  });

  it('removes no process while pulses cannot be received, nor within 5 s afterwards', () => {
    const board = new PulseBoard();
    board.hear(pulseOf('a'), 0);
    expect(ids(board, 1)).toEqual(['a']);
    expect(ids(board, 60_000, null)).toEqual(['a']);
    expect(ids(board, 65_000, 60_000)).toEqual(['a']);
    expect(ids(board, 65_001, 60_000)).toEqual([]);
  });

  it('changes no row while pulses cannot be received', () => {
    const board = new PulseBoard();
    board.hear(pulseOf('own', { detectionsPerSecond: 20 }), 0);
    const before = board.rows(1, -2_000, NO_OWNERS);
    board.hear(pulseOf('own', { detectionsPerSecond: 0 }), 1_000);
    expect(board.rows(1_001, null, NO_OWNERS)).toEqual(before);
    expect(board.rows(1_002, 1_002, NO_OWNERS)).toMatchObject({ own: { detectionsPerSecond: 0 } });
  });

  it('shows no process before all can have reported', () => {
    const board = new PulseBoard();
    board.hear(pulseOf('own'), 0);
    expect([ids(board, 1, null), ids(board, 2_000, 1)]).toEqual([[], []]);
    board.hear(pulseOf('other'), 2_000);
    expect(ids(board, 2_001, 1)).toEqual(['other', 'own']);
  });

  it('removes a process at once that announces its end', () => {
    const board = new PulseBoard();
    board.hear(pulseOf('a'), 0);
    board.hear(pulseOf('a', {}, { leaving: true }), 1);
    expect(ids(board, 2)).toEqual([]);
  });

  it('never shows two masters: a higher term ends the lower one', () => {
    const board = new PulseBoard();
    const master = { role: 'master', mayAct: true, leaseAgeMs: 20 } as const;
    board.hear(pulseOf('killed', { ...master, term: 7 }), 0);
    expect(board.rows(1, -2_000, NO_OWNERS)).toMatchObject({ killed: { role: 'master', mayAct: true } });
    board.hear(pulseOf('next', { ...master, term: 8 }), 1);
    expect(board.rows(1, -2_000, NO_OWNERS)).toMatchObject({
      killed: { role: 'follower', mayAct: false, leaseAgeMs: null, term: 7 },
      next: { role: 'master', mayAct: true, leaseAgeMs: 20, term: 8 },
    });
  });

  it('takes no process for the master after an outage before it has reported again', () => {
    const board = new PulseBoard();
    const master = pulseOf('a', { role: 'master', mayAct: true, leaseAgeMs: 20, term: 7 });
    board.hear(master, 0);
    const roleAt = (now: number, listeningSince: number | null) =>
      board.rows(now, listeningSince, NO_OWNERS).a?.role;
    expect(roleAt(1, -2_000)).toBe('master');
    expect(roleAt(30_000, null)).toBe('master');
    expect(roleAt(60_000, 60_000)).toBe('follower');
    board.hear(master, 60_500);
    expect(roleAt(61_000, 60_000)).toBe('master');
  });

  it('accepts names of prototype properties as node ids', () => {
    const board = new PulseBoard();
    board.hear(pulseOf('__proto__'), 0);
    board.hear(pulseOf('constructor'), 0);
    expect(ids(board, 1)).toEqual(['__proto__', 'constructor']);
  });
});
