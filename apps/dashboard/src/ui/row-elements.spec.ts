import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowElements } from './row-elements.js';

const range = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, index) => first + index);

describe('RowElements', () => {
  it('gives the elements of rows that leave to rows that come while the table scrolls', () => {
    const elements = new RowElements();
    expect(elements.place(range(0, 4), String, false)).toEqual([
      { row: 0, element: 0 },
      { row: 1, element: 1 },
      { row: 2, element: 2 },
      { row: 3, element: 3 },
    ]);
    const scrolled = elements.place(range(2, 6), String, true);
    expect(scrolled.map(({ element }) => element)).toEqual([0, 1, 2, 3]);
    expect(scrolled.slice(2)).toEqual([
      { row: 2, element: 2 },
      { row: 3, element: 3 },
    ]);
    expect(elements.place(range(2, 6), String, false).map(({ row }) => row)).toEqual([2, 3, 4, 5]);
  });

  it('shows each row once, and a row keeps its element while it is shown', () => {
    const view = fc.record({ first: fc.nat(30), length: fc.nat(8), scrolling: fc.boolean() });
    fc.assert(
      fc.property(fc.array(view, { maxLength: 20 }), (views) => {
        const elements = new RowElements();
        let before = new Map<number, number>();
        let most = -1;
        for (const { first, length, scrolling } of views) {
          const placed = elements.place(range(first, first + length), String, scrolling);
          expect(placed.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(
            range(first, first + length),
          );
          const after = new Map(placed.map(({ row, element }) => [row, element]));
          expect(new Set(after.values()).size).toBe(length);
          for (const [row, element] of after) expect(before.get(row) ?? element).toBe(element);
          const order = placed.map(({ row, element }) => (scrolling ? element : row));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
          const made = placed.filter(({ element }) => element > most).length;
          expect(made).toBeLessThanOrEqual(Math.max(0, length - before.size));
          most = Math.max(most, ...after.values());
          before = after;
        }
      }),
    );
  });
});
