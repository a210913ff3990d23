import { describe, expect, it } from '@jest/globals';
import { activeRowOf } from './virtual-active.js';

const rowOf = (key: string, row: number, items: string) =>
  activeRowOf({ key, row, column: 0 }, Array.from(items), (item) => item);

describe('activeRowOf', () => {
  it('follows the item', () => {
    expect(rowOf('b', 1, 'abc')).toBe(1);
    expect(rowOf('b', 1, 'xyab')).toBe(3);
    expect(rowOf('b', 1, 'b')).toBe(0);
  });

  it('stays in or near its place if the item is gone', () => {
    expect(rowOf('b', 1, 'acd')).toBe(1);
    expect(rowOf('b', 5, 'ac')).toBe(1);
    expect(rowOf('b', 5, '')).toBe(-1);
  });

  it('is the first row until one is chosen', () => {
    expect(rowOf('', 0, 'abc')).toBe(0);
    expect(rowOf('', 0, '')).toBe(-1);
  });
});
