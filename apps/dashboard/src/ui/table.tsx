import type { ComponentChildren } from 'preact';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';

export interface TableColumn<T> {
  readonly title: ComponentChildren;
  readonly cell: (item: T) => ComponentChildren;
  /** Its cells are numbers, aligned at their end. */
  readonly number?: boolean;
  /** What the title means, as a tooltip. */
  readonly hint?: string;
  /** Name of its order; left out: the table cannot be sorted by it. */
  readonly sort?: string;
}

/** The order of a table, and what a click on the title of a column does. */
export interface TableSort {
  readonly column: string;
  readonly descending: boolean;
  readonly onSort: (column: string) => void;
}

export interface TableProps<T> {
  /** Its name for screen readers. */
  readonly label: string;
  readonly columns: readonly TableColumn<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T, index: number) => string | number;
  readonly sort?: TableSort;
  readonly class?: string;
}

/** A table of a few rows, which scrolls if it is too wide. The first cell of a row is its header. */
export function Table<T>({ label, columns, items, keyOf, sort, ...props }: TableProps<T>) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={classNames('table', props.class)} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, number, hint, sort: name }, index) => (
              <th
                key={index}
                scope="col"
                class={number === true ? 'number' : undefined}
                title={hint}
                aria-sort={
                  name === undefined || sort?.column !== name
                    ? undefined
                    : sort.descending
                      ? 'descending'
                      : 'ascending'
                }
              >
                {sort === undefined || name === undefined ? (
                  title
                ) : (
                  <button type="button" class="table-sort" onClick={() => sort.onSort(name)}>
                    {title} {sort.column === name && <Icon name="chevron" />}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, row) => (
            <tr key={keyOf(item, row)}>
              {columns.map(({ cell, number }, index) =>
                index === 0 ? (
                  <th key={index} scope="row" class={number === true ? 'number' : undefined}>
                    {cell(item)}
                  </th>
                ) : (
                  <td key={index} class={number === true ? 'number' : undefined}>
                    {cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
