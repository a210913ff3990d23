import { describe, expect, it } from 'vitest';
import { phrase, phraseText, textOf } from './phrase.js';

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

describe('textOf', () => {
  it('has words for known codes, and shows an unknown code', () => {
    expect(textOf({ capacity: 'full' }, 'capacity')).toBe('full');
    expect(textOf({ capacity: 'full' }, 'phase-of-the-moon')).toBe('phase-of-the-moon');
    expect(textOf({ capacity: 'full' }, 'constructor')).toBe('constructor');
  });
});
