import { z } from 'zod';
import { problems } from './problem/problems.js';

/** Query of every list: `limit` rows after `cursor`. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(200, 'must be at most 200')
    .default(50)
    .meta({ description: 'Most items to return' }),
  cursor: z
    .string()
    .max(64, 'must be a cursor that this service returned')
    .optional()
    .meta({ description: '`nextCursor` of the page before; leave out for the first page' }),
});

export type PageQuery = z.infer<typeof pageQuerySchema>;

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

/** The arguments of a `findMany` that reads one row more than asked for, which tells whether a further page exists. */
export function pageArguments({ limit, cursor }: PageQuery) {
  return {
    take: limit + 1,
    orderBy: { id: 'asc' },
    ...(cursor === undefined ? {} : { where: { id: { gt: decodeCursor(cursor) } } }),
  } as const;
}

/** Makes the page out of what a `findMany` with {@link pageArguments} returned. */
export function toPage<Row extends { id: number }, T>(
  rows: readonly Row[],
  { limit }: PageQuery,
  map: (row: Row) => T,
): Page<T> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return {
    items: kept.map(map),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  };
}

function encodeCursor(id: number): string {
  return Buffer.from(`id:${id}`).toString('base64url');
}

function decodeCursor(cursor: string): number {
  const match = /^id:(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  const id = Number(match?.[1] ?? NaN);
  if (!(id <= 2_147_483_647))
    throw problems.validation([
      { parameter: 'cursor', detail: 'must be a cursor that this service returned' },
    ]);
  return id;
}
