import { describe, expect, it } from '@jest/globals';
import { moveInGrid } from './virtual-keys.js';

const size = { rows: 100, columns: 6, page: 9 };
const press = (key: string, more = {}) => ({ key, ctrlKey: false, ...more });

describe('moveInGrid', () => {
  it.each([
    ['ArrowDown', {}, { row: 51, column: 3 }],
    ['ArrowUp', {}, { row: 49, column: 3 }],
    ['ArrowRight', {}, { row: 50, column: 4 }],
    ['ArrowLeft', {}, { row: 50, column: 2 }],
    ['PageDown', {}, { row: 59, column: 3 }],
    ['PageUp', {}, { row: 41, column: 3 }],
    ['Home', {}, { row: 50, column: 0 }],
    ['End', {}, { row: 50, column: 5 }],
    ['Home', { ctrlKey: true }, { row: 0, column: 0 }],
    ['End', { ctrlKey: true }, { row: 99, column: 5 }],
    ['ArrowDown', { metaKey: true }, { row: 99, column: 3 }],
    ['ArrowUp', { ctrlKey: true }, { row: 0, column: 3 }],
    ['ArrowRight', { ctrlKey: true }, { row: 50, column: 5 }],
    ['ArrowLeft', { ctrlKey: true }, { row: 50, column: 0 }],
  ])('%s %j leads to %j', (key, more, place) => {
    expect(moveInGrid(press(key, more), { row: 50, column: 3 }, size)).toEqual(place);
  });

  it('stays in the grid', () => {
    expect(moveInGrid(press('PageDown'), { row: 97, column: 0 }, size)).toEqual({ row: 99, column: 0 });
    expect(moveInGrid(press('PageUp'), { row: 3, column: 0 }, size)).toEqual({ row: 0, column: 0 });
    expect(moveInGrid(press('ArrowLeft'), { row: 3, column: 0 }, size)).toEqual({ row: 3, column: 0 });
  });

  it('ignores other keys, shortcuts of the browser, and all keys in an empty grid', () => {
    expect(moveInGrid(press('a'), { row: 1, column: 1 }, size)).toBeNull();
    expect(moveInGrid(press('ArrowLeft', { altKey: true }), { row: 1, column: 1 }, size)).toBeNull();
    expect(moveInGrid(press('ArrowDown'), { row: 0, column: 0 }, { ...size, rows: 0 })).toBeNull();
  });
});
