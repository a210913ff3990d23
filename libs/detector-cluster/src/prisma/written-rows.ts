import type { ChangedRows } from '../desired/changed-rows.js';
import { isNestedWrite, isRecord, NESTED_WRITES, writtenFields } from './change-filter.js';

/** What identifies the rows of a model of the reference schema, and under which name they are told. */
const KEYS: Readonly<Record<string, readonly [rows: keyof ChangedRows, key: string]>> = {
  Display: ['displays', 'displayId'],
  Camera: ['cameras', 'cameraIdentifier'],
  Playlist: ['playlists', 'id'],
  Model: ['models', 'id'],
};

/** Operations that return every row which they write. */
const RETURNING = new Set(['create', 'createManyAndReturn', 'update', 'updateManyAndReturn', 'upsert']);

/**
 * The rows that an operation has written, read from its result; null if that does not tell all of them. A row whose key may have changed
 * has two, and only the new one is known. A deleted camera, playlist or model leaves displays behind that the database changes itself.
 */
export function writtenRows(
  model: string | undefined,
  operation: string,
  args: unknown,
  result: unknown,
): ChangedRows | null {
  const known = model !== undefined && Object.hasOwn(KEYS, model) ? KEYS[model] : undefined;
  if (known === undefined) return null;
  const [rows, key] = known;
  if (!RETURNING.has(operation) && !(operation === 'delete' && model === 'Display')) return null;
  if (isRecord(args)) {
    const updated =
      operation === 'upsert' ? [args.update] : operation.startsWith('update') ? [args.data] : [];
    if (updated.flat().some((data) => isRecord(data) && data[key] !== undefined)) return null;
  }
  const allowed = model === 'Display' ? ['connect', 'disconnect'] : ['connect'];
  const nested = writtenFields(args).filter(([, value]) => isNestedWrite(value));
  if (
    nested.some(([, value]) =>
      NESTED_WRITES.some((name) => name in (value as object) && !allowed.includes(name)),
    )
  )
    return null;
  const keys = [result].flat().map((row) => (isRecord(row) ? row[key] : undefined));
  const isKey = (value: unknown) =>
    typeof value === 'string' || (typeof value === 'number' && rows !== 'displays' && rows !== 'cameras');
  return keys.every(isKey) ? { [rows]: keys } : null;
}
