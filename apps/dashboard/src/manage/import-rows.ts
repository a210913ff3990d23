import type { ApiIssue } from '../api/api-error.js';
import type { Item } from '../api/entries-api.js';
import { parseCsv } from './csv.js';
import { fieldValue } from './entry-item.js';
import type { EntryKind } from './kinds.js';

/** The service takes at most this many entries at once, and all of them or none. */
export const MAX_ROWS = 1_000;

/** The entries of a file, and where they come from. */
export interface ImportRows {
  readonly items: readonly Item[];
  /** Line of each item. */
  readonly lines: readonly number[];
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

/** Reads a file. An empty cell keeps what is stored. */
export function readRows(kind: EntryKind, text: string): ImportRows | { readonly problems: RowProblem[] } {
  let rows;
  try {
    rows = parseCsv(text);
  } catch (error) {
    return { problems: [ofFile(error instanceof Error ? error.message : String(error))] };
  }
  const [header, ...records] = rows;
  if (header === undefined || records.length === 0)
    return {
      problems: [ofFile('has no rows: the first line names the columns, each further line is an entry')],
    };
  const columns = columnsOf(kind);
  const problems: RowProblem[] = header.cells.flatMap((name, index) => {
    if (!columns.includes(name))
      return [{ line: header.line, field: name, detail: `is not a known column: use ${columns.join(', ')}` }];
    return header.cells.indexOf(name) === index
      ? []
      : [{ line: header.line, field: name, detail: 'appears twice: remove one of the columns' }];
  });
  if (records.length > MAX_ROWS)
    problems.push(ofFile(`has ${records.length} rows, and ${MAX_ROWS} are imported at once: split the file`));
  for (const { line, cells } of records)
    if (cells.length > header.cells.length)
      problems.push({
        line,
        field: '',
        detail: `has ${cells.length} cells for ${header.cells.length} columns: put cells with separators in quotes`,
      });
  if (problems.length > 0) return { problems };
  return {
    items: records.map(({ cells }) => itemOfRow(kind, header.cells, cells)),
    lines: records.map(({ line }) => line),
  };
}

function itemOfRow(kind: EntryKind, names: readonly string[], cells: readonly string[]): Item {
  return Object.fromEntries(
    names.flatMap((name, index) => {
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

const ofFile = (detail: string): RowProblem => ({ line: null, field: '', detail });
