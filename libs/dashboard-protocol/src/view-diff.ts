import { EMPTY_VIEW, type Collection, type DashboardView, type Rows } from './dashboard-view.js';

/** The changes of one collection. */
export interface RowChanges {
  /** New rows, complete. */
  readonly set?: Rows<unknown>;
  /** The fields of known rows that have changed. */
  readonly changed?: Rows<Fields>;
  readonly gone?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

export type ViewChanges = Readonly<Partial<Record<Collection, RowChanges>>>;

export const COLLECTIONS = Object.keys(EMPTY_VIEW) as readonly Collection[];

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
  const changed = emptyRows() as Record<string, Fields>;
  for (const [key, row] of Object.entries(after)) {
    const known = Object.hasOwn(before, key) ? before[key] : undefined;
    if (known === row) continue;
    const fields = changedFields(known, row);
    if (fields === null) set[key] = row;
    else if (Object.keys(fields).length > 0) changed[key] = fields;
  }
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changes = {
    ...(Object.keys(set).length > 0 && { set }),
    ...(Object.keys(changed).length > 0 && { changed }),
    ...(gone.length > 0 && { gone }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

function applyRows(rows: Rows<unknown>, { set = {}, changed = {}, gone = [] }: RowChanges): Rows<unknown> {
  const next = Object.assign(emptyRows(), rows, set);
  for (const [key, fields] of Object.entries(changed)) next[key] = { ...(rows[key] as Fields), ...fields };
  for (const key of gone) delete next[key];
  return next;
}

/** Keys are untrusted, so the objects have no prototype whose names they could hit. */
function emptyRows(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** Rows are flat, except for lists of texts and numbers. Null: the row has to be sent complete. */
function changedFields(before: unknown, after: unknown): Fields | null {
  if (!isRow(before) || !isRow(after)) return null;
  const names = Object.keys(after);
  if (names.length !== Object.keys(before).length || !names.every((name) => Object.hasOwn(before, name)))
    return null;
  const fields = emptyRows();
  for (const name of names) if (!sameValue(before[name], after[name])) fields[name] = after[name];
  return fields;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
}

function isRow(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
