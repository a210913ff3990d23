import type { Redis } from 'ioredis';

/** Fields a page, about: a few milliseconds of the server. */
const PAGE = 2_000;

/**
 * The fields of a hash, page by page: read as a whole, one of 100,000 fields would hold up the server and whatever waits on
 * the same connection, beyond the time a command may take. A field that is there all the time is found, perhaps twice; one
 * that comes, goes or changes meanwhile is found as it was or as it is. Rejects as Redis does.
 */
export async function* hashPages(
  redis: Pick<Redis, 'hscan'>,
  key: string,
): AsyncGenerator<[field: string, text: string][], void> {
  let cursor = '0';
  do {
    const [next, page] = await redis.hscan(key, cursor, 'COUNT', PAGE);
    const fields: [string, string][] = [];
    for (let i = 0; i + 1 < page.length; i += 2) fields.push([page[i]!, page[i + 1]!]);
    yield fields;
    cursor = next;
  } while (cursor !== '0');
}

/** All of {@link hashPages}. */
export async function readHash(redis: Pick<Redis, 'hscan'>, key: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for await (const page of hashPages(redis, key)) for (const [field, text] of page) all.set(field, text);
  return all;
}
