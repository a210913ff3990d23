import { describe, expect, it } from '@jest/globals';
import { phrase, phraseText } from './phrase.js';

describe('phrase', () => {
  it('separates inserted texts from the words around them', () => {
    const moved = phrase`Camera ${'<b>7'} moved to ${''}.`;
    expect(moved).toEqual(['Camera ', { value: '<b>7' }, ' moved to ', { value: '' }, '.']);
    expect(phraseText(moved)).toBe('Camera <b>7 moved to .');
  });

  it('includes other phrases', () => {
    expect(phrase`${'a'}: ${phrase`to balance ${'b'}`}`).toEqual([
      { value: 'a' },
      ': ',
      'to balance ',
      { value: 'b' },
    ]);
  });

  it('omits empty words', () => {
    expect(phrase`${'a'}${'b'}`).toEqual([{ value: 'a' }, { value: 'b' }]);
  });
});
