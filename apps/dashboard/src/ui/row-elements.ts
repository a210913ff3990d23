/** A row and the number of the element that shows it. */
export interface PlacedRow {
  readonly row: number;
  readonly element: number;
}

/**
 * Gives each row in view an element. A scroll gives the elements of rows that left the view to rows that came into it: for the browser,
 * new content costs less than new elements.
 */
export class RowElements {
  private byKey: ReadonlyMap<string, number> = new Map();
  private made = 0;

  /**
   * A row keeps its element as long as it is among the rows.
   * @param rows in ascending order
   * @param scrolling the result is in the order of the elements, so that none has to move; otherwise in the order of the rows, which
   * screen readers follow
   */
  place(rows: readonly number[], keyOf: (row: number) => string, scrolling: boolean): readonly PlacedRow[] {
    const before = this.byKey;
    const keys = new Set(rows.map(keyOf));
    const free = [...before].flatMap(([key, element]) => (keys.has(key) ? [] : element));
    const placed = rows.map((row) => {
      const element = before.get(keyOf(row)) ?? free.pop() ?? this.made++;
      return { row, element };
    });
    this.byKey = new Map(placed.map(({ row, element }) => [keyOf(row), element]));
    return scrolling ? placed.toSorted((a, b) => a.element - b.element) : placed;
  }
}
