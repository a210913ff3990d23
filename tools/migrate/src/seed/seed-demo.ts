import pg from 'pg';
import { withClient } from '../with-client.js';
import { DEMO_CAMERAS, DEMO_DISPLAYS, DEMO_MODELS, DEMO_PLAYLISTS } from './demo-data.js';
import type { Row } from './demo-data.js';

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
  return withClient(databaseUrl, async (client) => {
    await client.query('BEGIN');
    const models = await upsert(client, 'Model', 'name', DEMO_MODELS);
    const modelIds = await ids(client, 'Model');
    const playlists = await upsert(
      client,
      'Playlist',
      'name',
      DEMO_PLAYLISTS.map(({ model, ...row }) => ({ ...row, modelId: modelIds.get(model) ?? null })),
    );
    const playlistIds = await ids(client, 'Playlist');
    const cameras = await upsert(client, 'Camera', 'cameraIdentifier', DEMO_CAMERAS);
    const displays = await upsert(
      client,
      'Display',
      'displayId',
      DEMO_DISPLAYS.map(({ playlist, ...row }) => ({
        ...row,
        playlistId: playlistIds.get(playlist) ?? null,
      })),
    );
    await client.query('COMMIT');
    return { models, playlists, cameras, displays };
  });
}

async function ids(client: pg.Client, table: string): Promise<Map<unknown, number>> {
  const { rows } = await client.query<{ id: number; name: string }>(
    `SELECT id, name FROM ${pg.escapeIdentifier(table)}`,
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Inserts rows, or updates those that differ, by a unique column. A correct row is not written. */
async function upsert(client: pg.Client, table: string, key: string, rows: readonly Row[]): Promise<number> {
  let written = 0;
  for (const row of rows) {
    const columns = Object.keys(row).map((column) => pg.escapeIdentifier(column));
    const changing = columns.filter((column) => column !== pg.escapeIdentifier(key));
    const target = pg.escapeIdentifier(table);
    const { rowCount } = await client.query(
      `INSERT INTO ${target} AS present (${columns.join(', ')}, "updatedAt")
       VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')}, now())
       ON CONFLICT (${pg.escapeIdentifier(key)}) DO UPDATE
       SET ${[...changing, '"updatedAt"'].map((column) => `${column} = excluded.${column}`).join(', ')}
       WHERE (${changing.map((column) => `present.${column}`).join(', ')})
         IS DISTINCT FROM (${changing.map((column) => `excluded.${column}`).join(', ')})`,
      Object.values(row),
    );
    written += rowCount ?? 0;
  }
  return written;
}
