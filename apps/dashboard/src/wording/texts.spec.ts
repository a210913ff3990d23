import { describe, expect, it } from '@jest/globals';
import { textOf } from './texts.js';

describe('textOf', () => {
  it('has words for what is known, and shows the code of what is not', () => {
    expect(textOf({ capacity: 'full' }, 'capacity')).toBe('full');
    expect(textOf({ capacity: 'full' }, 'phase-of-the-moon')).toBe('phase-of-the-moon');
    expect(textOf({ capacity: 'full' }, 'constructor')).toBe('constructor');
  });
});
