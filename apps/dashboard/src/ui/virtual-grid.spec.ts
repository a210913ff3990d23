import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  rowsPerPage,
  rowWindow,
  stepAt,
  stepWindow,
  scrollToShow,
  type RowGeometry,
  activeRowOf,
  moveInGrid,
} from './virtual-grid.js';

const geometry = fc.record({
  count: fc.nat({ max: 100_000 }),
  rowHeight: fc.integer({ min: 1, max: 100 }),
  scrollTop: fc.integer({ min: -50, max: 10_000_000 }),
  viewportHeight: fc.nat({ max: 2_000 }),
});

const table = (scrollTop: number): RowGeometry => ({
  count: 10_000,
  rowHeight: 40,
  scrollTop,
  viewportHeight: 400,
});

describe('rowWindow', () => {
  it('holds the rows in view and a few around them', () => {
    expect(rowWindow(table(0), 2)).toEqual({ first: 0, end: 12 });
    expect(rowWindow(table(4_010), 2)).toEqual({ first: 98, end: 113 });
    expect(rowWindow(table(399_600), 2)).toEqual({ first: 9_988, end: 10_000 });
  });

  it('shows the last rows if the list has become shorter than the scroll position', () => {
    expect(rowWindow({ ...table(399_600), count: 20 }, 0)).toEqual({ first: 10, end: 20 });
    expect(rowWindow({ ...table(399_600), count: 3 }, 0)).toEqual({ first: 0, end: 3 });
    expect(rowWindow({ ...table(399_600), count: 0 })).toEqual({ first: 0, end: 0 });
  });

  it('covers any view with few rows', () => {
    fc.assert(
      fc.property(geometry, (one) => {
        const { first, end } = rowWindow(one, 3);
        const { count, rowHeight, viewportHeight } = one;
        const top = Math.max(0, Math.min(one.scrollTop, count * rowHeight - viewportHeight));
        expect(first * rowHeight <= top).toBe(true);
        expect(end === count || end * rowHeight >= top + viewportHeight).toBe(true);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(viewportHeight / rowHeight) + 1 + 2 * 3);
      }),
    );
  });
});

describe('stepWindow', () => {
  it('covers the view at every scroll position of the step', () => {
    fc.assert(
      fc.property(geometry, fc.integer({ min: 1, max: 600 }), (one, step) => {
        const { first, end } = stepWindow({ ...one, scrollTop: stepAt(one.scrollTop, step) }, step);
        const inView = rowWindow(one, 0);
        expect(first).toBeLessThanOrEqual(inView.first);
        expect(end).toBeGreaterThanOrEqual(inView.end);
      }),
    );
  });
});

describe('scrollToShow', () => {
  it('scrolls as little as possible', () => {
    expect(scrollToShow(100, table(4_000))).toBe(4_000);
    expect(scrollToShow(99, table(4_000))).toBe(3_960);
    expect(scrollToShow(110, table(4_000))).toBe(4_040);
    expect(scrollToShow(0, table(4_000))).toBe(0);
  });

  it('brings every row that fits completely into view', () => {
    fc.assert(
      fc.property(geometry, fc.nat(), (one, seed) => {
        fc.pre(one.count > 0 && one.viewportHeight >= one.rowHeight);
        const row = seed % one.count;
        const top = row * one.rowHeight - scrollToShow(row, one);
        expect(top >= 0 && top + one.rowHeight <= one.viewportHeight).toBe(true);
      }),
    );
  });
});

describe('rowsPerPage', () => {
  it('keeps one row of the previous page, and moves by at least one row', () => {
    expect(rowsPerPage(table(0))).toBe(9);
    expect(rowsPerPage({ ...table(0), viewportHeight: 10 })).toBe(1);
  });
});

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
