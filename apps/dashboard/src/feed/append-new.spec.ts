import { describe, expect, it } from '@jest/globals';
import { appendNew } from './append-new.js';

const itself = (text: string) => text;

describe('appendNew', () => {
  it('adds each unknown item once, in order', () => {
    expect(appendNew(['a', 'b'], ['b', 'c', 'c', 'd'], itself, 10)).toEqual({
      items: ['a', 'b', 'c', 'd'],
      added: 2,
    });
  });

  it('keeps the newest', () => {
    expect(appendNew(['a', 'b'], ['c', 'd'], itself, 3).items).toEqual(['b', 'c', 'd']);
  });

  it('returns the same list if nothing is new', () => {
    const items = ['a', 'b'];
    expect(appendNew(items, ['a'], itself, 3).items).toBe(items);
    expect(appendNew(items, [], itself, 3).items).toBe(items);
  });
});
