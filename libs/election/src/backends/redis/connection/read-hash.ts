import type { Redis } from 'ioredis';

/** Fields a page, about: a few milliseconds of the server. */
const PAGE = 2_000;

/**
 * Reads the fields of a hash page by page. Reading a hash of 100,000 fields at once would block the server and the other
 * commands on the connection for longer than a command may take. A field that exists throughout is found, perhaps twice. A field
 * that is added, removed or changed while the pages are read is found in its old or its new state. Rejects as Redis does.
 */
export async function* hashPages(
  redis: Pick<Redis, 'hscan'>,
  key: string,
): AsyncGenerator<[field: string, text: string][], void> {
  const read = (cursor: string) => redis.hscan(key, cursor, 'COUNT', PAGE);
  for (let reply: ReturnType<typeof read> | null = read('0'); reply !== null;) {
    const [next, page]: [string, string[]] = await reply;
    // The server reads the next page while the caller handles this one.
    reply = next === '0' ? null : read(next);
    // The caller may end early.
    reply?.catch(() => undefined);
    const fields: [string, string][] = [];
    for (let i = 0; i + 1 < page.length; i += 2) fields.push([page[i]!, page[i + 1]!]);
    yield fields;
  }
}

/** All of {@link hashPages}. */
export async function readHash(redis: Pick<Redis, 'hscan'>, key: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for await (const page of hashPages(redis, key)) for (const [field, text] of page) all.set(field, text);
  return all;
}
