import { z } from 'zod';
import { readJson } from '../stores/read-json.js';
import { anyText } from './fields.js';
import { problems } from './problems.js';

const MAX_CURSOR = 2_048;

/** The largest id of most tables. */
const MAX_ID = 2_147_483_647;

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
export const textFilter = anyText(256).optional();

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

/**
 * The arguments of a `findMany` that reads one row more than requested, which shows whether there is another page.
 * @param maxId the largest id that the table can hold
 */
export function pageArguments(
  { limit, cursor, sort }: PageQuery,
  where: object = {},
  maxId: number = MAX_ID,
) {
  const { field, direction } = orderOf(sort);
  const after = cursor === undefined ? [] : [beyond(cursor, sort, maxId)];
  return {
    take: limit + 1,
    where: { AND: [where, ...after] },
    orderBy: field === 'id' ? [{ id: direction }] : [{ [field]: direction }, { id: direction }],
  };
}

/** Makes the page out of what a `findMany` with {@link pageArguments} returned. */
export function toPage<Row extends { id: number | bigint }, T>(
  rows: readonly Row[],
  { limit, sort }: PageQuery,
  map: (row: Row) => T,
): Page<T> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return {
    items: kept.map(map),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(placeOfRow(last, sort), sort) : null,
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
  const last = cursor === undefined ? null : decode(cursor, sort, placeSchema);
  const left = last === null ? sorted : sorted.filter((item) => compare(placeOf(item), last) > 0);
  const page = left.slice(0, limit);
  const end = page.at(-1);
  return {
    items: page,
    nextCursor: left.length > limit && end !== undefined ? cursorAt(placeOf(end), sort) : null,
  };
}

const placeSchema = z.tuple([z.union([z.string(), z.number()]), z.string()]);

/** The value by which a list is sorted, and the key of its item. */
type Place = Readonly<z.infer<typeof placeSchema>>;

function orderOf(sort: string | undefined) {
  const direction = sort?.startsWith('-') === true ? ('desc' as const) : ('asc' as const);
  return { field: sort?.replace(/^-/, '') ?? 'id', direction };
}

/** The condition for the rows after a cursor. Several rows may have the same value, so the id decides among them. */
function beyond(cursor: string, sort: string | undefined, maxId: number): object {
  const { field, direction } = orderOf(sort);
  const value = field.endsWith('At') ? z.coerce.date() : z.string().refine((text) => !text.includes('\0'));
  const [at, id] = decode(cursor, sort, z.tuple([value, z.coerce.number().int().min(0).max(maxId)]));
  const further = direction === 'asc' ? 'gt' : 'lt';
  if (field === 'id') return { id: { [further]: id } };
  return { OR: [{ [field]: { [further]: at } }, { [field]: at, id: { [further]: id } }] };
}

function placeOfRow(row: { readonly id: number | bigint }, sort: string | undefined): Place {
  const { field } = orderOf(sort);
  const value = field === 'id' ? '' : (row as unknown as Record<string, unknown>)[field];
  return [value instanceof Date ? value.toISOString() : String(value), String(row.id)];
}

/** The cursor of a page that ends at this place; a list that is sorted by its ids has them as places. */
export function cursorAt(place: string | Place, sort = ''): string {
  return Buffer.from(JSON.stringify([sort, place].flat())).toString('base64url');
}

/**
 * The id in a cursor of {@link cursorAt}.
 * @param form the format of an id
 * @throws the problem of a wrong cursor
 */
export function placeIn(cursor: string, form: RegExp, sort?: string): string {
  return decode(cursor, sort, z.tuple([z.string().regex(form)]))[0];
}

function decode<T>(cursor: string, sort: string | undefined, schema: z.ZodType<T>): T {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [order, ...place] = readJson(z.array(z.unknown()), text) ?? [];
  const found = schema.safeParse(place);
  if (order === (sort ?? '') && found.success) return found.data;
  throw problems.validation([
    { parameter: 'cursor', detail: 'must be a cursor that this service returned for the same sort' },
  ]);
}

function comparePlaces([a, aKey]: Place, [b, bKey]: Place): number {
  if (a === b) return aKey < bKey ? -1 : aKey > bKey ? 1 : 0;
  return a < b ? -1 : 1;
}
