import { WATCHED_COLUMNS } from '../changed-rows.js';

/** Which fields of a model decide what runs; `'all'`: any. */
export type WatchedModels = Readonly<Record<string, readonly string[] | 'all'>>;

/** The models and fields from which the desired state is made; relations count as fields. */
export const DEFAULT_MODELS: WatchedModels = {
  Display: [...WATCHED_COLUMNS.Display, 'camera', 'playlist'],
  Camera: [...WATCHED_COLUMNS.Camera, 'displays'],
  Playlist: [...WATCHED_COLUMNS.Playlist, 'model', 'displays'],
  Model: WATCHED_COLUMNS.Model,
};

/** The operations of a model that change nothing; any other counts as a write. */
export const READS: ReadonlySet<string> = new Set([
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
  'findRaw',
  'aggregateRaw',
]);
const UPDATES = new Set(['update', 'updateMany', 'updateManyAndReturn']);
const VERBS = new Map([
  ...[...UPDATES].map((operation) => [operation, 'updated'] as const),
  ['create', 'created'],
  ['createMany', 'created'],
  ['createManyAndReturn', 'created'],
  ['upsert', 'saved'],
  ['delete', 'deleted'],
  ['deleteMany', 'deleted'],
]);
export const NESTED_WRITES = [
  'create',
  'createMany',
  'connect',
  'connectOrCreate',
  'disconnect',
  'set',
  'update',
  'updateMany',
  'upsert',
  'delete',
  'deleteMany',
];

type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/**
 * A relation is written through an object of operations; `{ set: 5 }` writes a plain field. `{ set: [] }` may be either, and empties
 * a relation.
 */
export function isNestedWrite(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return NESTED_WRITES.some((name) =>
    name === 'set'
      ? isRecord(value.set) ||
        (Array.isArray(value.set) && (value.set.length === 0 || value.set.some(isRecord)))
      : name in value,
  );
}

/** The fields that an operation writes; several rows count as one. */
export function writtenFields(args: unknown): [string, unknown][] {
  if (!isRecord(args)) return [];
  const rows = [args.data, args.create, args.update].flat().filter(isRecord);
  return rows.flatMap((row) => Object.entries(row)).filter(([, value]) => value !== undefined);
}

/**
 * What an operation may have changed of the desired state, e.g. `camera.updated`, or null if nothing. In doubt it reports a change: an
 * unnecessary regeneration costs one query, while a missing one delays the change until the next resync.
 */
export function causeOf(
  model: string | undefined,
  operation: string,
  args: unknown,
  models: WatchedModels = DEFAULT_MODELS,
): string | null {
  // Only raw SQL has no model.
  if (model === undefined) return changesData(args) ? 'database.changed' : null;
  if (READS.has(operation)) return null;
  const cause = `${model.charAt(0).toLowerCase()}${model.slice(1)}.${VERBS.get(operation) ?? 'changed'}`;
  const written = writtenFields(args);
  if (written.some(([, value]) => isNestedWrite(value))) return cause;
  const watched = Object.hasOwn(models, model) ? models[model] : undefined;
  if (watched === undefined) return null;
  if (watched === 'all' || !UPDATES.has(operation)) return cause;
  return written.some(([name]) => watched.includes(name)) ? cause : null;
}

const WRITES =
  /\b(?:insert|update|delete|merge|truncate|copy|call|do|alter|drop|create|refresh|execute|into)\b/i;
const COMMENTS_AND_TEXTS = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*'|"[^"]*"/g;

function textOf(args: unknown): string | null {
  if (typeof args === 'string') return args;
  // [text, ...values] of the unsafe forms, [strings, ...values] of a template, or an object of Prisma.sql.
  if (Array.isArray(args)) return args.length > 0 ? (joined(args[0]) ?? textOf(args[0])) : null;
  if (typeof args !== 'object' || args === null) return null;
  const { strings, sql, text } = args as { strings?: unknown; sql?: unknown; text?: unknown };
  return joined(strings) ?? [sql, text].find((value) => typeof value === 'string') ?? null;
}

function joined(strings: unknown): string | null {
  return Array.isArray(strings) && strings.every((part) => typeof part === 'string')
    ? strings.join(' ? ')
    : null;
}

/** Texts with escapes or between dollar signs, whose ends {@link COMMENTS_AND_TEXTS} does not find. */
const OTHER_TEXTS = /\\|\$\w*\$/;

/**
 * Whether raw SQL may write: whether a word that begins a writing statement stands outside of comments, texts and quoted
 * names. SQL that cannot be read counts as writing; a function with side effects is not recognised.
 */
export function changesData(args: unknown): boolean {
  const sql = textOf(args);
  if (sql === null) return true;
  return WRITES.test(OTHER_TEXTS.test(sql) ? sql : sql.replaceAll(COMMENTS_AND_TEXTS, ' '));
}
