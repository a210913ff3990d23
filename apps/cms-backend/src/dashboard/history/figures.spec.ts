import { describe, expect, it } from 'vitest';
import { FigureBoard } from './figure-board.js';
import { readFigures, SAMPLE, type Figures } from './figures.js';

const of = (processId: string, detectionsPerSecond: number, lagMs: number | null): Figures => ({
  version: 2,
  processId,
  detectionsPerSecond,
  lagMs,
});

describe('the figures of all processes', () => {
  it('are the sum of the rates and the longest lag', () => {
    const board = new FigureBoard();
    board.listening(0);
    board.hear(of('a', 1, null), SAMPLE);
    expect(board.total(SAMPLE)).toEqual({ rate: 1, lag: null });
    board.hear(of('a', 2, 30), SAMPLE);
    board.hear(of('b', 3, 20), SAMPLE);
    expect(board.total(SAMPLE)).toEqual({ rate: 5, lag: 30 });
  });

  it('are unknown until every process has had the time to report, and while no report can arrive', () => {
    const board = new FigureBoard();
    const unknown = { rate: null, lag: null };
    board.hear(of('a', 1, 1), 0);
    expect(board.total(SAMPLE)).toEqual(unknown);
    board.listening(1);
    expect(board.total(SAMPLE)).toEqual(unknown);
    expect(board.total(SAMPLE + 1)).toEqual({ rate: 1, lag: 1 });
    board.listening(null);
    expect(board.total(SAMPLE + 1)).toEqual(unknown);
  });

  it('leave out a process that has ended', () => {
    const board = new FigureBoard();
    board.listening(0);
    board.hear(of('gone', 1, 1), 0);
    board.hear(of('here', 2, 2), SAMPLE);
    expect(board.total(2 * SAMPLE)).toEqual({ rate: 2, lag: 2 });
  });

  it('are read from messages of this version only', () => {
    expect(readFigures(JSON.stringify(of('a', 1, 2)))).toEqual(of('a', 1, 2));
    for (const text of ['', '{', '{"version":2,"processId":""}', JSON.stringify(of('a', -1, 2))])
      expect(readFigures(text)).toBeNull();
  });
});
