/** The cell of a grid that has the focus, or would get it. */
export interface ActiveCell {
  /** Of its item; empty: it has not been chosen yet. */
  readonly key: string;
  /** Where the item was. */
  readonly row: number;
  readonly column: number;
}

/** Where the item is now: it moves with the order. When it has gone, what took its place is active. -1: there are no items. */
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
