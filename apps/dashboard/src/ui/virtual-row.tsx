import type { ComponentChildren } from 'preact';
import { memo } from './memo.js';

export interface VirtualColumn<T, Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly cell: (item: T) => ComponentChildren;
}

/** Actions on a row. The object stays the same, so that it never causes a row to render. */
export interface RowActions<T> {
  open: (item: T) => void;
  activate: (row: number, column: number) => void;
}

export interface VirtualRowProps<T> {
  readonly item: T;
  /** Its place among all rows, from 0. */
  readonly row: number;
  /** CSS pixels. */
  readonly height: number;
  readonly columns: readonly VirtualColumn<T>[];
  /** The cell in the tab order; -1: none of this row. */
  readonly activeColumn: number;
  readonly actions: RowActions<T>;
}

function Row<T>({ item, row, height, columns, activeColumn, actions }: VirtualRowProps<T>) {
  return (
    <div
      class="virtual-row"
      role="row"
      aria-rowindex={row + 2}
      style={{ height: `${height}px`, transform: `translateY(${row * height}px)` }}
      onClick={() => actions.open(item)}
    >
      {columns.map((column, index) => (
        <div
          key={column.id}
          class={`virtual-cell cell-${column.id}`}
          role="gridcell"
          aria-colindex={index + 1}
          tabIndex={index === activeColumn ? 0 : -1}
          onFocus={() => actions.activate(row, index)}
        >
          {column.cell(item)}
        </div>
      ))}
    </div>
  );
}

/** One row of a virtual table, at its place. */
export const VirtualRow = memo(Row as (props: VirtualRowProps<unknown>) => ReturnType<typeof Row>) as <T>(
  props: VirtualRowProps<T>,
) => ReturnType<typeof Row>;
