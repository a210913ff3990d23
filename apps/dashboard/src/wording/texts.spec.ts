import { describe, expect, it } from '@jest/globals';
import { textOf } from './texts.js';

describe('textOf', () => {
  it('has words for known codes, and shows an unknown code', () => {
    expect(textOf({ capacity: 'full' }, 'capacity')).toBe('full');
    expect(textOf({ capacity: 'full' }, 'phase-of-the-moon')).toBe('phase-of-the-moon');
    expect(textOf({ capacity: 'full' }, 'constructor')).toBe('constructor');
  });
});
