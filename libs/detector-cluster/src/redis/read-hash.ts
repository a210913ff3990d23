import type { Redis } from 'ioredis';

/** Fields a page, about: a few milliseconds of the server. */
const PAGE = 2_000;

/**
 * All fields of a hash, page by page: read as a whole, one of 100,000 fields would hold up the server and whatever waits on
 * the same connection, beyond the time a command may take. A field that is there all the time is found; one that comes,
 * goes or changes meanwhile is found as it was or as it is.
 */
export async function readHash(redis: Pick<Redis, 'hscan'>, key: string): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  let cursor = '0';
  do {
    const [next, page] = await redis.hscan(key, cursor, 'COUNT', PAGE);
    for (let i = 0; i + 1 < page.length; i += 2) fields.set(page[i]!, page[i + 1]!);
    cursor = next;
  } while (cursor !== '0');
  return fields;
}
