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
