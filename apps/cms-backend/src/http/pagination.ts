import { z } from 'zod';
import { problems } from './problems.js';

const MAX_CURSOR = 2_048;

/** The part of each list's query that selects the page. */
export const pageFields = {
  limit: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1_000, 'must be at most 1000')
    .default(50)
    .meta({ description: 'Most items to return' }),
  cursor: z
    .string()
    .max(MAX_CURSOR, 'must be a cursor that this service returned')
    .optional()
    .meta({ description: '`nextCursor` of the page before; leave out for the first page' }),
};

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** A field; with `-` in front the order is descending. Default: entries as they were added, lists in memory by their key. */
  readonly sort?: string | undefined;
}

/**
 * Schema of a list's query.
 * @param sortable fields by which the list can be sorted; none may be null
 * @param filters further parameters, which `where` of the list uses
 * @param otherwise the order without `sort`
 */
export function listQuerySchema<Filters extends z.ZodRawShape>(
  sortable: readonly string[],
  filters: Filters,
  otherwise = 'as they were added',
) {
  const orders = sortable.flatMap((field) => [field, `-${field}`]);
  return z.strictObject({
    ...pageFields,
    sort: z
      .enum(orders, `must be one of ${orders.join(', ')}`)
      .optional()
      .meta({ description: `Field to sort by, descending with "-" in front. Default: ${otherwise}` }),
    ...filters,
  });
}

/** A filter by one or several of these values. */
export function severalOf<T extends string>(values: readonly T[]) {
  const all = values.join(', ');
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values, `must be one or several of ${all}`)))
    .optional()
    .meta({ description: `One or several of these, separated by commas: ${all}` });
}

/** A filter by a part of a text. */
export const textFilter = z
  .string()
  .max(256, 'must be at most 256 characters')
  // eslint-disable-next-line no-control-regex
  .regex(/^[^\u0000\p{Cs}]*$/u, 'must be valid text')
  .optional();

/** Whether a text contains another, regardless of case. */
export function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** Whether a text contains each word of another, regardless of case. */
export function containsWords(text: string, words: string): boolean {
  return words.split(/\s+/).every((word) => contains(text, word));
}

/** The condition that a field contains a text. It escapes the wildcards of LIKE, which Prisma does not. */
export function containing(text: string) {
  return { contains: text.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' } as const;
}

export interface Page<T> {
  items: T[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** Schema of a page; `id` names it in the API description. */
export function pageSchema<Item extends z.ZodType>(id: string, item: Item) {
  return z
    .object({
      items: z.array(item),
      nextCursor: z.string().nullable().meta({ description: 'Null on the last page' }),
    })
    .meta({ id });
}

/** The arguments of a `findMany` that reads one row more than requested, which shows whether there is another page. */
export function pageArguments({ limit, cursor, sort }: PageQuery, where: object = {}) {
  const { field, direction } = orderOf(sort);
  const after = cursor === undefined ? [] : [beyond(decodeCursor(cursor, sort), field, direction)];
  return {
    take: limit + 1,
    where: { AND: [where, ...after] },
    orderBy: field === 'id' ? [{ id: direction }] : [{ [field]: direction }, { id: direction }],
  };
}

/** Makes the page out of what a `findMany` with {@link pageArguments} returned. */
export function toPage<Row extends { id: number }, T>(
  rows: readonly Row[],
  { limit, sort }: PageQuery,
  map: (row: Row) => T,
): Page<T> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return {
    items: kept.map(map),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last, sort) : null,
  };
}

/** A page of a list that is in memory, sorted by `compare` and identified by `keyOf`. */
export function pageOf<T>(
  items: readonly T[],
  { limit, cursor, sort }: PageQuery,
  valueOf: (item: T, field: string | null) => string | number,
  keyOf: (item: T) => string,
): Page<T> {
  const descending = sort?.startsWith('-') === true;
  const field = sort?.replace(/^-/, '') ?? null;
  const placeOf = (item: T): Place => [valueOf(item, field), keyOf(item)];
  const compare = (a: Place, b: Place) => (descending ? -1 : 1) * comparePlaces(a, b);
  const sorted = items.toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  const last = cursor === undefined ? null : decodePlace(cursor, sort);
  const left = last === null ? sorted : sorted.filter((item) => compare(placeOf(item), last) > 0);
  const page = left.slice(0, limit);
  const end = page.at(-1);
  return {
    items: page,
    nextCursor: left.length > limit && end !== undefined ? encode([sort ?? '', ...placeOf(end)]) : null,
  };
}

type Direction = 'asc' | 'desc';
type Place = readonly [value: string | number, key: string];

function orderOf(sort: string | undefined): { field: string; direction: Direction } {
  if (sort === undefined) return { field: 'id', direction: 'asc' };
  return sort.startsWith('-')
    ? { field: sort.slice(1), direction: 'desc' }
    : { field: sort, direction: 'asc' };
}

interface RowPlace {
  readonly id: number;
  readonly value: string;
}

/** The condition for the rows after a place. Several rows may have the same value, so the id decides among them. */
function beyond({ id, value }: RowPlace, field: string, direction: Direction): object {
  const further = direction === 'asc' ? 'gt' : 'lt';
  if (field === 'id') return { id: { [further]: id } };
  const at = field.endsWith('At') ? new Date(value) : value;
  return { OR: [{ [field]: { [further]: at } }, { [field]: at, id: { [further]: id } }] };
}

function encodeCursor(row: { readonly id: number }, sort: string | undefined): string {
  const { field } = orderOf(sort);
  const value = field === 'id' ? '' : (row as unknown as Record<string, unknown>)[field];
  return encode([sort ?? '', value instanceof Date ? value.toISOString() : String(value), String(row.id)]);
}

function decodeCursor(cursor: string, sort: string | undefined): RowPlace {
  const [value, key] = decodePlace(cursor, sort);
  const isId = /^\d{1,10}$/.test(key) && Number(key) <= 2_147_483_647;
  const isTime = !orderOf(sort).field.endsWith('At') || !Number.isNaN(Date.parse(String(value)));
  if (!isId || !isTime || String(value).includes('\u0000')) throw wrongCursor();
  return { id: Number(key), value: String(value) };
}

function decodePlace(cursor: string, sort: string | undefined): Place {
  const [order, value, key] = decode(cursor);
  if (order !== (sort ?? '')) throw wrongCursor();
  if ((typeof value !== 'string' && typeof value !== 'number') || typeof key !== 'string')
    throw wrongCursor();
  return [value, key];
}

function encode(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function decode(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** The cursor of a list that is sorted by the ids of its items. */
export function cursorAt(place: string, sort = ''): string {
  return encode([sort, place]);
}

/**
 * The place in a cursor of {@link cursorAt}.
 * @param form the format of a place
 * @throws the problem of a wrong cursor
 */
export function placeIn(cursor: string, form: RegExp, sort = ''): string {
  const [order, place, ...more] = decode(cursor);
  if (order !== sort || typeof place !== 'string' || !form.test(place) || more.length > 0)
    throw wrongCursor();
  return place;
}

/** The problem of an unknown cursor, or of one for another sort. */
export function wrongCursor() {
  return problems.validation([
    { parameter: 'cursor', detail: 'must be a cursor that this service returned for the same sort' },
  ]);
}

function comparePlaces([a, aKey]: Place, [b, bKey]: Place): number {
  if (a === b) return aKey < bKey ? -1 : aKey > bKey ? 1 : 0;
  return a < b ? -1 : 1;
}
