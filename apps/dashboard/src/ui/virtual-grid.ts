/** A column of rows of one height, partly in view. All lengths in CSS pixels. */
export interface RowGeometry {
  readonly count: number;
  readonly rowHeight: number;
  /** How far the rows are scrolled. */
  readonly scrollTop: number;
  /** Visible height of the rows, without the header. */
  readonly viewportHeight: number;
}

/** Rows from `first` up to but not including `end`. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

/** Rows also drawn above and below the view, so that a fast scroll shows no gaps. */
const OVERSCAN = 6;

/** The rows that have to be in the document. */
export function rowWindow(geometry: RowGeometry, overscan = OVERSCAN): RowWindow {
  const { count, rowHeight, viewportHeight } = geometry;
  const scrollTop = reachable(geometry);
  const first = Math.floor(scrollTop / rowHeight) - overscan;
  const end = Math.ceil((scrollTop + viewportHeight) / rowHeight) + overscan;
  return { first: Math.max(0, Math.min(first, count)), end: Math.max(0, Math.min(end, count)) };
}

/** The start of the step in which a scroll position lies. CSS pixels. */
export function stepAt(scrollTop: number, step: number): number {
  return Math.floor(scrollTop / step) * step;
}

/** The rows for all scroll positions from `scrollTop`, where a step begins, to the next step. */
export function stepWindow(geometry: RowGeometry, step: number): RowWindow {
  return rowWindow({ ...geometry, viewportHeight: geometry.viewportHeight + step });
}

/** The scroll position that shows the whole row; unchanged if the row is already in view. */
export function scrollToShow(row: number, geometry: RowGeometry): number {
  const { rowHeight, viewportHeight } = geometry;
  const scrollTop = reachable(geometry);
  const top = row * rowHeight;
  if (top < scrollTop || rowHeight > viewportHeight) return top;
  return Math.max(scrollTop, top + rowHeight - viewportHeight);
}

/** Rows that PageDown moves by: the rows in view minus one, which stays visible for orientation. */
export function rowsPerPage({ rowHeight, viewportHeight }: RowGeometry): number {
  return Math.max(1, Math.floor(viewportHeight / rowHeight) - 1);
}

/** The rows can become fewer before the browser adjusts the scroll position. */
function reachable({ count, rowHeight, scrollTop, viewportHeight }: RowGeometry): number {
  return Math.max(0, Math.min(scrollTop, count * rowHeight - viewportHeight));
}

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

/** A cell of a grid. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows that PageUp and PageDown move by. */
  readonly page: number;
}

/** The part of a `KeyboardEvent` that is used here. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey?: boolean;
  readonly altKey?: boolean;
}

/** The target of a key press in a cell, by the ARIA practices for grids; null: the key does not move. */
export function moveInGrid(
  pressed: PressedKey,
  { row, column }: GridPlace,
  size: GridSize,
): GridPlace | null {
  if (pressed.altKey || size.rows === 0) return null;
  const place = step(pressed.key, pressed.ctrlKey || pressed.metaKey === true, { row, column }, size);
  return place && { row: within(place.row, size.rows), column: within(place.column, size.columns) };
}

function step(key: string, control: boolean, { row, column }: GridPlace, size: GridSize): GridPlace | null {
  switch (key) {
    case 'ArrowDown':
      return { row: control ? size.rows : row + 1, column };
    case 'ArrowUp':
      return { row: control ? 0 : row - 1, column };
    case 'ArrowRight':
      return { row, column: control ? size.columns : column + 1 };
    case 'ArrowLeft':
      return { row, column: control ? 0 : column - 1 };
    case 'PageDown':
      return { row: row + size.page, column };
    case 'PageUp':
      return { row: row - size.page, column };
    case 'Home':
      return { row: control ? 0 : row, column: 0 };
    case 'End':
      return { row: control ? size.rows : row, column: size.columns };
    default:
      return null;
  }
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1));
}
