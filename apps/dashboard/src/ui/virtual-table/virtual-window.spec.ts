import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rowsPerPage, rowWindow, scrollToShow, type RowGeometry } from './virtual-window.js';

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
