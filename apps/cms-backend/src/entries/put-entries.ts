import type { z } from 'zod';
import { databaseProblem } from '../stores/database-error.js';
import { withEtag } from '../http/etag.js';
import type { ProblemIssue } from '../http/problem.js';
import { type ProblemException, problems } from '../http/problems.js';
import type { PutEntry } from './entries.schema.js';
import { type Client, type EntryKind, type EntryRow, rowsOf, valueOf } from './entry-kind.js';

/** An entry of a bulk request. Missing fields keep their values. */
export interface PutItem {
  readonly id?: number | undefined;
  /** The version that the request changes. */
  readonly etag?: string | undefined;
}

export interface PutOptions {
  /** Change entries regardless of their version. */
  readonly overwrite: boolean;
  /** Changes of existing entries need no version. */
  readonly dryRun: boolean;
}

interface Step extends PutEntry {
  readonly index: number;
  readonly row: EntryRow | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The steps of a bulk request; none of them writes. */
export interface PutPlan {
  readonly steps: readonly Step[];
  readonly existing: readonly EntryRow[];
}

/**
 * Compares the items with what is stored.
 * @throws 422 with the place of each error; 412 for versions that are not current; 428 where an existing entry would
 *   be changed without a version
 */
export async function planPut(
  client: Client,
  kind: EntryKind,
  check: (item: object) => readonly ProblemIssue[],
  items: readonly PutItem[],
  { overwrite, dryRun }: PutOptions,
): Promise<PutPlan> {
  const existing = await existingRows(client, kind, items);
  const byId = new Map(existing.map((row) => [row.id, row]));
  const byName = new Map(existing.map((row) => [valueOf(row, kind.nameKey), row]));
  const required = Object.entries(kind.schemas.create.shape).flatMap(([field, schema]) =>
    field === kind.nameKey || (schema as z.ZodType).safeParse(undefined).success ? [] : [field],
  );
  const missing = await missingReferences(client, kind, items);
  const wrong: ProblemIssue[] = [...missing];
  const stale: ProblemIssue[] = [];
  const unguarded: ProblemIssue[] = [];
  const taken = new Map<string, number>();
  const steps = items.map((item, index): Step => {
    const report = (list: ProblemIssue[], field: string, detail: string) =>
      list.push({ pointer: `#/items/${index}${field === '' ? '' : `/${field}`}`, detail });
    for (const { pointer = '', detail } of check(item)) report(wrong, pointer.replace(/^#\//, ''), detail);
    const name = valueOf(item, kind.nameKey);
    const row = (item.id === undefined ? byName.get(name) : byId.get(item.id)) ?? null;
    const key = String(name ?? (row === null ? item.id : valueOf(row, kind.nameKey)));
    const first = taken.get(key);
    if (first !== undefined)
      report(wrong, kind.nameKey, `is also in item ${first}: give each ${kind.name} once`);
    taken.set(key, index);
    if (row === null && item.id !== undefined)
      report(wrong, 'id', `there is no ${kind.name} ${item.id}: leave id out to add one`);
    if (row === null)
      for (const field of required)
        if (valueOf(item, field) === undefined)
          report(wrong, field, `must be given, because there is no ${kind.name} ${JSON.stringify(key)} yet`);

    const data = changesOf(item, row);
    const etag = row === null ? null : withEtag(kind.toView(row)).etag;
    if (item.etag !== undefined && item.etag !== etag)
      report(stale, 'etag', row === null ? 'does not exist any more' : 'is not the current version');
    const outcome = row === null ? 'created' : Object.keys(data).length === 0 ? 'unchanged' : 'changed';
    if (outcome === 'changed' && item.etag === undefined && !overwrite && !dryRun)
      report(unguarded, '', `would change the ${kind.name} ${JSON.stringify(key)}, which exists`);
    return { index, key, outcome, etag, row, data };
  });
  if (wrong.length > 0) throw problems.validation(wrong);
  if (stale.length > 0)
    throw problems.preconditionFailed(
      `${stale.length} of ${items.length} items name a version that is not current: read them again`,
      stale,
    );
  if (unguarded.length > 0)
    throw problems.preconditionRequired(
      `${unguarded.length} of ${items.length} items would change existing entries: give each its etag, or send If-Match: *`,
      unguarded,
    );
  return { steps, existing };
}

/** Writes the steps. An error of the database names its item. */
export async function carryOutPut(client: Client, kind: EntryKind, { steps }: PutPlan): Promise<EntryRow[]> {
  const written: EntryRow[] = [];
  const rows = rowsOf(client, kind.name);
  for (const { index, outcome, row, data } of steps) {
    if (outcome === 'unchanged') continue;
    try {
      written.push(
        row === null ? await rows.create({ data }) : await rows.update({ where: { id: row.id }, data }),
      );
    } catch (error) {
      throw conflictOf(error, index) ?? error;
    }
  }
  return written;
}

/** A conflict with stored entries, with the place of the item. Null if the error is of another kind. */
function conflictOf(error: unknown, index: number): ProblemException | null {
  const { status, errors } = databaseProblem(error)?.problem ?? {};
  if (status !== 409 || errors === undefined) return null;
  return problems.conflict(
    errors.map(({ pointer = '#', detail }) => ({
      pointer: pointer.replace('#', `#/items/${index}`),
      detail,
    })),
  );
}

async function existingRows(client: Client, kind: EntryKind, items: readonly PutItem[]): Promise<EntryRow[]> {
  const ids = items.flatMap(({ id }) => id ?? []);
  const names = items.flatMap((item) => (item.id === undefined ? [valueOf(item, kind.nameKey)] : []));
  const where = { OR: [{ [kind.nameKey]: { in: names } }, ...(ids.length > 0 ? [{ id: { in: ids } }] : [])] };
  return rowsOf(client, kind.name).findMany({ where });
}

async function missingReferences(
  client: Client,
  { references }: EntryKind,
  items: readonly PutItem[],
): Promise<ProblemIssue[]> {
  const issues: ProblemIssue[] = [];
  for (const { field, key, to } of references) {
    const wanted = new Set(items.flatMap((item) => valueOf(item, field) ?? []));
    if (wanted.size === 0) continue;
    const found = await rowsOf(client, to).findMany({
      where: { [key]: { in: [...wanted] } },
      select: { [key]: true },
    });
    const known = new Set(found.map((row) => valueOf(row, key)));
    for (const [index, item] of items.entries()) {
      const value = valueOf(item, field) ?? null;
      if (value === null || known.has(value)) continue;
      const detail = `refers to ${JSON.stringify(value)}, which does not exist: add it first, or leave ${field} out`;
      issues.push({ pointer: `#/items/${index}/${field}`, detail });
    }
  }
  return issues;
}

/** The fields of the item that differ from the row. */
function changesOf(item: PutItem, row: object | null): Record<string, unknown> {
  const given = Object.entries(item).filter(
    ([field, value]) => field !== 'etag' && field !== 'id' && value !== undefined,
  );
  return Object.fromEntries(
    row === null ? given : given.filter(([field, value]) => value !== valueOf(row, field)),
  );
}
