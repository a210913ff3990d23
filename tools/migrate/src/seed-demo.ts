import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { withClient } from './with-client.js';

/** `prisma/seed.sql` of this repository. */
const SCRIPT = new URL('../../../prisma/seed.sql', import.meta.url);

/** How many rows {@link seedDemo} wrote: inserted, or changed back to the demo's values. 0 the second time. */
export interface SeedResult {
  models: number;
  playlists: number;
  cameras: number;
  displays: number;
}

/**
 * Inserts the demo's displays, cameras, playlists and models into a migrated database, in one transaction. Rows with the same
 * names get the demo's values; other rows are not changed.
 */
export async function seedDemo(databaseUrl: string): Promise<SeedResult> {
  const script = await readFile(SCRIPT, 'utf8');
  // Postgres runs the statements of one query in one transaction. The types of pg do not know queries with several results.
  const results = (await withClient(databaseUrl, (client) => client.query(script))) as unknown;
  const [models, playlists, cameras, displays] = (results as pg.QueryResult[]).map(
    ({ rowCount }) => rowCount!,
  );
  return { models: models!, playlists: playlists!, cameras: cameras!, displays: displays! };
}
