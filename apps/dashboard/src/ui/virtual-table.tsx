import { useRef, useState } from 'preact/hooks';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';
import { RowElements } from './row-elements.js';
import {
  activeRowOf,
  type ActiveCell,
  moveInGrid,
  rowsPerPage,
  stepWindow,
  scrollToShow,
  type RowGeometry,
} from './virtual-grid.js';
import { useKeptFocus, rowHeight, useViewport } from './virtual-hooks.js';
import { VirtualRow, type RowActions, type VirtualColumn } from './virtual-row.js';
import './virtual-table.css';

export interface VirtualTableProps<T, Id extends string> {
  /** Description of the table for screen readers. */
  readonly label: string;
  /** Name of its column layout in the style sheet. */
  readonly layout: string;
  readonly columns: readonly VirtualColumn<T, Id>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly sort?: { readonly column: Id; readonly descending: boolean };
  /** Left out: it cannot be sorted. */
  readonly onSort?: (column: Id) => void;
  /** The user chose a row by a click, Enter or the space bar. */
  readonly onOpen?: (item: T) => void;
}

/** A scroll renders once per so many rows. */
const ROWS_IN_STEP = 6;

/**
 * A grid of any number of rows of one height. The document holds only the rows in view and the focused row, which
 * would otherwise lose the focus when it leaves the view.
 */
export function VirtualTable<T, Id extends string>(props: VirtualTableProps<T, Id>) {
  const { columns, items, keyOf, label, layout, onOpen, onSort, sort } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const header = useRef<HTMLDivElement>(null);
  const step = ROWS_IN_STEP * rowHeight.value;
  const viewport = useViewport(scroller, header, step);
  const [active, setActive] = useState<ActiveCell>({ key: '', row: 0, column: 0 });

  const geometry: RowGeometry = { count: items.length, rowHeight: rowHeight.value, ...viewport };
  const { first, end } = stepWindow(geometry, step);
  const activeRow = activeRowOf(active, items, keyOf);
  const rows = Array.from({ length: end - first }, (_, index) => first + index);
  if (activeRow !== -1 && activeRow < first) rows.unshift(activeRow);
  else if (activeRow >= end) rows.push(activeRow);
  const focus = useKeptFocus(scroller);
  const [elements] = useState(() => new RowElements());
  const placed = elements.place(rows, (row) => keyOf(items[row]!), viewport.scrolling);

  const activate = (row: number, column: number) => {
    const key = keyOf(items[row]!);
    if (active.key !== key || active.row !== row || active.column !== column) setActive({ key, row, column });
  };
  const actions = useRef<RowActions<T>>({ open: () => undefined, activate: () => undefined });
  Object.assign(actions.current, { open: (item: T) => onOpen?.(item), activate });

  const onKeyDown = (event: KeyboardEvent) => {
    const cell = event.target as HTMLElement;
    if (cell.getAttribute('role') !== 'gridcell' || activeRow === -1) return;
    if (onOpen !== undefined && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      onOpen(items[activeRow]!);
      return;
    }
    const size = { rows: items.length, columns: columns.length, page: rowsPerPage(geometry) };
    const place = moveInGrid(event, { row: activeRow, column: active.column }, size);
    if (place === null) return;
    event.preventDefault();
    const { scrollTop } = scroller.current!;
    scroller.current!.scrollTop = scrollToShow(place.row, { ...geometry, scrollTop });
    focus.want();
    activate(place.row, place.column);
  };

  return (
    <div
      ref={scroller}
      class={classNames('virtual-table', `virtual-${layout}`, onOpen !== undefined && 'virtual-opens')}
      role="grid"
      aria-label={label}
      aria-rowcount={items.length + 1}
      aria-colcount={columns.length}
      aria-readonly="true"
      onKeyDown={onKeyDown}
      onFocusIn={focus.onFocusIn}
      onFocusOut={focus.onFocusOut}
    >
      <div ref={header} class="virtual-header" role="rowgroup">
        <div class="virtual-row" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div class="virtual-body" role="rowgroup" style={{ height: `${items.length * geometry.rowHeight}px` }}>
        {placed.map(({ row, element }) => (
          <VirtualRow
            key={element}
            item={items[row]!}
            row={row}
            height={geometry.rowHeight}
            columns={columns}
            activeColumn={row === activeRow ? active.column : -1}
            actions={actions.current}
          />
        ))}
      </div>
    </div>
  );
}

interface HeaderCellProps<T, Id extends string> {
  readonly column: VirtualColumn<T, Id>;
  readonly sort: VirtualTableProps<T, Id>['sort'];
  readonly onSort: VirtualTableProps<T, Id>['onSort'];
}

function HeaderCell<T, Id extends string>({ column: { id, title }, sort, onSort }: HeaderCellProps<T, Id>) {
  const sorted = sort?.column === id;
  const order = sorted ? (sort.descending ? 'descending' : 'ascending') : undefined;
  return (
    <div class={`virtual-cell cell-${id}`} role="columnheader" aria-sort={order}>
      {onSort !== undefined ? (
        <button type="button" class="virtual-sort" onClick={() => onSort(id)}>
          <span>{title}</span>
          {sorted && (
            <span class={sort.descending ? 'virtual-sorted virtual-sorted-down' : 'virtual-sorted'}>
              <Icon name="chevron" />
            </span>
          )}
        </button>
      ) : (
        title
      )}
    </div>
  );
}
