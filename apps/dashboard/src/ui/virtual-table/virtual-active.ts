/** The cell of a grid that has the focus, or would get it. */
export interface ActiveCell {
  /** Key of its item; empty: no cell has been chosen yet. */
  readonly key: string;
  /** The last known row of the item. */
  readonly row: number;
  readonly column: number;
}

/** The current row of the item. If the item is gone, the item in its place is active. -1: no items. */
export function activeRowOf<T>(
  { key, row }: ActiveCell,
  items: readonly T[],
  keyOf: (item: T) => string,
): number {
  const there = items[row];
  if (there !== undefined && (key === '' || keyOf(there) === key)) return row;
  const moved = items.findIndex((item) => keyOf(item) === key);
  return moved === -1 ? Math.min(row, items.length - 1) : moved;
}
