import type { ComponentChildren } from 'preact';
import { classNames } from './class-names.js';

export interface TableColumn<T> {
  readonly title: ComponentChildren;
  readonly cell: (item: T) => ComponentChildren;
  /** Its cells are numbers, aligned at their end. */
  readonly number?: boolean;
  /** What the title means, as a tooltip. */
  readonly hint?: string;
}

export interface TableProps<T> {
  /** Its name for screen readers. */
  readonly label: string;
  readonly columns: readonly TableColumn<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T, index: number) => string | number;
  readonly class?: string;
}

/** A table of a few rows, which scrolls if it is too wide. The first cell of a row is its header. */
export function Table<T>({ label, columns, items, keyOf, ...props }: TableProps<T>) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={classNames('table', props.class)} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, number, hint }, index) => (
              <th key={index} scope="col" class={number === true ? 'number' : undefined} title={hint}>
                {title}
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
