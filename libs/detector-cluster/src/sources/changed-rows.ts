import { z } from 'zod';
import { readJson } from '../shared/read-json.js';

/** Rows that have changed, by their identifiers in the reference schema. */
export interface ChangedRows {
  /** `displayId` of displays. */
  readonly displays?: readonly string[] | undefined;
  /** `cameraIdentifier` of cameras. */
  readonly cameras?: readonly string[] | undefined;
  /** `id` of playlists. */
  readonly playlists?: readonly (number | string)[] | undefined;
  /** `id` of models. */
  readonly models?: readonly (number | string)[] | undefined;
}

/** Beyond this number, reading everything costs less. */
export const MAX_CHANGED_ROWS = 500;

const listOf = <T extends z.ZodType>(key: T) => z.array(key).max(MAX_CHANGED_ROWS).readonly().optional();
const names = listOf(z.string());
const ids = listOf(z.union([z.int(), z.string()]));

/** {@link ChangedRows} as received from other programs. */
export const changedRowsSchema = z.strictObject({
  displays: names,
  cameras: names,
  playlists: ids,
  models: ids,
});

/** Parses rows from JSON. Null, which means any row, if the text is anything else. */
export const parseChangedRows = (text: string): ChangedRows | null => readJson(changedRowsSchema, text);

/** The union of both. Null means any row; also returned for more than {@link MAX_CHANGED_ROWS}. */
export function mergeRows(a: ChangedRows | null, b: ChangedRows | null): ChangedRows | null {
  if (a === null || b === null) return null;
  const merged = {
    displays: union(a.displays, b.displays),
    cameras: union(a.cameras, b.cameras),
    playlists: union(a.playlists, b.playlists),
    models: union(a.models, b.models),
  };
  const count = Object.values(merged).reduce((sum, { length }) => sum + length, 0);
  return count > MAX_CHANGED_ROWS ? null : merged;
}

function union<T>(a: readonly T[] = [], b: readonly T[] = []): readonly T[] {
  if (a.length === 0) return b;
  return b.length === 0 ? a : [...new Set([...a, ...b])];
}

type RowKey = readonly [rows: keyof ChangedRows, key: string];

const ROW_KEYS: Readonly<Record<string, RowKey>> = {
  Display: ['displays', 'displayId'],
  Camera: ['cameras', 'cameraIdentifier'],
  Playlist: ['playlists', 'id'],
  Model: ['models', 'id'],
};

/** The field of {@link ChangedRows} for the rows of a model of the reference schema, and the column that identifies them. */
export const rowKeyOf = (model: string): RowKey | undefined =>
  Object.hasOwn(ROW_KEYS, model) ? ROW_KEYS[model] : undefined;

const CROP = ['cropX1', 'cropY1', 'cropX2', 'cropY2'] as const;

/**
 * The columns that determine the desired state, by model: the columns that are read, and the join columns. Any column of a model may
 * name its file, which only the application's `ModelUrlProvider` knows.
 */
export const WATCHED_COLUMNS = {
  Display: ['displayId', 'createdAt', 'cameraIdentifier', 'playlistId', ...CROP],
  Camera: ['cameraIdentifier', 'rtspUrl', 'snapshotUrl', 'snapshotInterval', ...CROP],
  Playlist: ['id', 'modelId'],
  Model: 'all',
} as const;
