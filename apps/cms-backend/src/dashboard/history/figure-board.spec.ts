import { describe, expect, it } from 'vitest';
import { detectionAt, pulseOf } from '../pulse/pulse.fixture.js';
import { FigureBoard, SAMPLE } from './figure-board.js';

const NOW = '2026-01-01T00:00:00.000Z';
const UNKNOWN = { detectionsPerSecond: null, lagMs: null };

describe('the figures of all processes', () => {
  it('are the sum of the mean rates and the longest lag since the last sample', () => {
    const board = new FigureBoard();
    const detections = [detectionAt(NOW)];
    board.hear(pulseOf('a', { detectionsPerSecond: 1, lagMs: 30 }, { detections }));
    board.hear(pulseOf('a', { detectionsPerSecond: 3, lagMs: 10 }, { detections }));
    board.hear(pulseOf('b', { detectionsPerSecond: 3, lagMs: 20 }, { detections }));
    expect(board.take(SAMPLE)).toEqual({ detectionsPerSecond: 5, lagMs: 30 });
    board.hear(pulseOf('b', { detectionsPerSecond: 1 }));
    expect(board.take(2 * SAMPLE)).toEqual({ detectionsPerSecond: 1, lagMs: null });
  });

  it('have no lag of detections that came before', () => {
    const board = new FigureBoard();
    board.hear(pulseOf('a', { detectionsPerSecond: 0, lagMs: 30 }));
    expect(board.take(SAMPLE)).toEqual({ detectionsPerSecond: 0, lagMs: null });
  });

  it('are unknown until every process could report for a whole sample, and while no pulse can arrive', () => {
    const board = new FigureBoard();
    for (const listeningFor of [SAMPLE - 1, null]) {
      board.hear(pulseOf('a', { detectionsPerSecond: 1 }));
      expect(board.take(listeningFor)).toEqual(UNKNOWN);
    }
    expect(board.take(SAMPLE)).toEqual(UNKNOWN);
  });
});
