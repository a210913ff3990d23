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
