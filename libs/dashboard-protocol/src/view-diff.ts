import type { Collection, DashboardView, Rows } from './dashboard-view.js';

/** The changes of one collection. */
export interface RowChanges {
  /** New and changed rows, complete. */
  readonly set?: Rows<unknown>;
  readonly gone?: readonly string[];
}

export type ViewChanges = Readonly<Partial<Record<Collection, RowChanges>>>;

export const COLLECTIONS: readonly Collection[] = [
  'workers',
  'processes',
  'subscriptions',
  'skipped',
  'rebalances',
  'sources',
];

/** Rows are compared by value; rows that one of the views does not know are skipped. Null: nothing has changed. */
export function diffViews(before: DashboardView, after: DashboardView): ViewChanges | null {
  const changes: Partial<Record<Collection, RowChanges>> = {};
  for (const name of COLLECTIONS) {
    const change = diffRows(before[name], after[name]);
    if (change !== null) changes[name] = change;
  }
  return Object.keys(changes).length === 0 ? null : changes;
}

/** Returns the view with the changes applied; unchanged parts stay the same objects. */
export function applyChanges(view: DashboardView, changes: ViewChanges): DashboardView {
  const next: Partial<Record<Collection, Rows<unknown> | null>> = {};
  for (const name of COLLECTIONS) {
    const change = changes[name];
    const rows = view[name];
    next[name] = change === undefined || rows === null ? rows : applyRows(rows, change);
  }
  return next as unknown as DashboardView;
}

function diffRows(before: Rows<unknown> | null, after: Rows<unknown> | null): RowChanges | null {
  if (before === after || before === null || after === null) return null;
  const set = emptyRows();
  let changed = false;
  for (const [key, row] of Object.entries(after)) {
    if (Object.hasOwn(before, key) && sameRow(before[key], row)) continue;
    set[key] = row;
    changed = true;
  }
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  if (!changed && gone.length === 0) return null;
  return { ...(changed && { set }), ...(gone.length > 0 && { gone }) };
}

function applyRows(rows: Rows<unknown>, { set = {}, gone = [] }: RowChanges): Rows<unknown> {
  const next = Object.assign(emptyRows(), rows, set);
  for (const key of gone) delete next[key];
  return next;
}

/** Keys are untrusted, so the objects have no prototype whose names they could hit. */
function emptyRows(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** Rows are flat, except for lists of texts and numbers. */
function sameRow(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isRow(a) || !isRow(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => sameValue(a[name], b[name]));
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
