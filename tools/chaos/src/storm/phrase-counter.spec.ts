import { describe, expect, it } from 'vitest';
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
