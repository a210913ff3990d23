import type { ApiIssue } from '../api/api-error.js';
import type { Item } from '../api/entries-api.js';
import { parseCsv } from './csv.js';
import { fieldValue } from './entry-item.js';
import type { EntryKind } from './kinds.js';

/** The service takes at most this many entries at once, and all of them or none. */
export const MAX_ROWS = 1_000;

/** The entries of a file, where they come from, and what is wrong with the rest of it. */
export interface ImportRows {
  readonly items: readonly Item[];
  /** Line of each item. */
  readonly lines: readonly number[];
  readonly problems: readonly RowProblem[];
}

/** What is wrong with a row, and where. */
export interface RowProblem {
  /** Null: the file as a whole. */
  readonly line: number | null;
  /** Name of the column; empty: the whole row. */
  readonly field: string;
  readonly detail: string;
}

/** The columns that a file may have; the first line names those that it has. */
export function columnsOf({ fields, pathKey }: EntryKind): string[] {
  return [...(pathKey === 'id' ? ['id'] : []), ...fields.map(({ name }) => name)];
}

/** Reads a file. An empty cell keeps what is stored. What can be read of a wrong file can be checked too. */
export function readRows(kind: EntryKind, text: string): ImportRows {
  let rows;
  try {
    rows = parseCsv(text);
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error));
  }
  const [header, ...records] = rows;
  if (header === undefined || records.length === 0)
    return unreadable('has no rows: the first line names the columns, each further line is an entry');
  if (records.length > MAX_ROWS)
    return unreadable(`has ${records.length} rows, and ${MAX_ROWS} are imported at once: split the file`);
  const columns = columnsOf(kind);
  const problems: RowProblem[] = header.cells.flatMap((name, index) => {
    if (!columns.includes(name))
      return [{ line: header.line, field: name, detail: `is not a known column: use ${columns.join(', ')}` }];
    return header.cells.indexOf(name) === index
      ? []
      : [{ line: header.line, field: name, detail: 'appears twice: remove one of the columns' }];
  });
  for (const { line, cells } of records)
    if (cells.length > header.cells.length)
      problems.push({
        line,
        field: '',
        detail: `has ${cells.length} cells for ${header.cells.length} columns: put cells with separators in quotes`,
      });
  const names = header.cells.map((name) => (columns.includes(name) ? name : null));
  const whole = records.filter(({ cells }) => cells.length <= names.length);
  return {
    items: whole.map(({ cells }) => itemOfRow(kind, names, cells)),
    lines: whole.map(({ line }) => line),
    problems,
  };
}

/** @param names of the columns; null: not a known one */
function itemOfRow(kind: EntryKind, names: readonly (string | null)[], cells: readonly string[]): Item {
  return Object.fromEntries(
    names.flatMap((name, index) => {
      if (name === null) return [];
      const field = kind.fields.find((each) => each.name === name) ?? {
        name,
        label: name,
        type: 'number' as const,
      };
      const value = fieldValue(field, cells[index] ?? '');
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The problems that the service found, with the lines of the file. */
export function rowProblems(issues: readonly ApiIssue[], lines: readonly number[]): RowProblem[] {
  return issues.map(({ place, detail }) => {
    const [, index, field = ''] = /^items\/(\d+)(?:\/(.+))?$/.exec(place) ?? [];
    const line = index === undefined ? undefined : lines[Number(index)];
    // Another row of the same file is named by its item, which the operator does not see.
    const readable = detail.replace(/\bin item (\d+)/, (text, item: string) => {
      const other = lines[Number(item)];
      return other === undefined ? text : `in line ${other}`;
    });
    return line === undefined
      ? { line: null, field: place, detail: readable }
      : { line, field, detail: readable };
  });
}

const unreadable = (detail: string): ImportRows => ({
  items: [],
  lines: [],
  problems: [{ line: null, field: '', detail }],
});
