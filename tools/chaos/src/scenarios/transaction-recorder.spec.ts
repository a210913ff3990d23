import { describe, expect, it } from 'vitest';
import { readingPercent } from './transaction-recorder.js';
import { PhraseCounter } from './phrase-counter.js';

const count = (...pieces: string[]) => {
  const counter = new PhraseCounter('abab');
  for (const piece of pieces) counter.add(piece);
  return counter.count;
};

describe('PhraseCounter', () => {
  it.each([
    [['xababyabab'], 2],
    [['xab', 'aby'], 1],
    [['a', 'b', 'a', 'b'], 1],
    [['abab', 'ab'], 1],
    [['abab', 'abab'], 2],
    [['aba', 'xbab'], 0],
    [[''], 0],
  ])('%j: %d', (pieces, expected) => {
    expect(count(...pieces)).toBe(expected);
  });
});

const transactions = (...times: [number, number | null][]) => times.map(([begin, end]) => ({ begin, end }));

describe('readingPercent', () => {
  it.each([
    ['none', transactions(), 0],
    ['one', transactions([0, 50]), 0],
    ['transactions at five times their length', transactions([0, 10], [50, 60], [100, 190]), 20],
    ['transactions without a wait between them', transactions([0, 40], [42, 80], [82, 120]), 95],
    ['long ones at the longest distance', transactions([0, 400], [500, 900], [1_000, 1_400]), 20],
    ['one that has not ended', transactions([0, null], [50, 60]), 100],
  ])('%s', (_, given, percent) => {
    expect(readingPercent(given)).toBe(percent);
  });
});
