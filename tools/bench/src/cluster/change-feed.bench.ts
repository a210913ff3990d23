import { installChangeFeed, removeChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { createDatabase, startPostgres } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import pg from 'pg';
import type { BenchOptions } from '../bench-options.js';
import { median } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';

/** Rounds by default. */
const RUNS = 5;

/** Duration of the writes for one figure. Milliseconds. */
const SLICE = 1_000;

const CASES = {
  /** Changes a column that is not watched: compared, not announced. */
  unwatched: { column: 'name', writers: 1 },
  unwatchedBy16: { column: 'name', writers: 16 },
  /** Changes a watched column: announced, under the lock that all committing notifiers of the database share. */
  watched: { column: 'cropX2', writers: 1 },
  watchedBy16: { column: 'cropX2', writers: 16 },
} as const;

/**
 * Measures what the triggers of the change feed cost writers: single-row updates per second with triggers, as a share of those
 * without, in turns within one run. Postgres runs without fsync, so that the disk does not hide the cost; with a disk it is lower.
 */
export async function changeFeedBench({ runs = RUNS }: BenchOptions) {
  const postgres = await startPostgres();
  const url = await createDatabase(postgres.url, 'feed');
  await applyMigrations(url, MIGRATIONS_DIRECTORY);
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  const listener = new pg.Client({ connectionString: url });
  try {
    await listener.connect();
    await listener.query('listen detector_cluster_changed');
    await pool.query(
      `insert into "Display" ("displayId", "updatedAt") select 'd' || i, now() from generate_series(1, 1000) i`,
    );
    await pool.query('update "Display" set "cropX1" = 0, "cropY1" = 0, "cropX2" = 1, "cropY2" = 1');
    const result: Record<string, { ratio: number; writesPerSecond: number }> = {};
    for (const [name, { column, writers }] of Object.entries(CASES)) {
      const ratios: number[] = [];
      const rates: number[] = [];
      for (let round = 0; round < runs; round++) {
        await removeChangeFeed(pool);
        const without = await writesPerSecond(pool, column, writers, SLICE);
        await installChangeFeed(pool);
        const withFeed = await writesPerSecond(pool, column, writers, SLICE);
        ratios.push(withFeed / without);
        rates.push(withFeed);
      }
      result[name] = { ratio: median(ratios), writesPerSecond: Math.round(median(rates)) };
      progress(`change-feed, ${name}: ${JSON.stringify(result[name])}`);
    }
    return { bench: 'change-feed', ...result, runs };
  } finally {
    await listener.end();
    await pool.end();
    await postgres.stop();
  }
}

/** Single-row updates of `Display` that the given number of writers commit per second, over `duration` ms. */
async function writesPerSecond(
  pool: pg.Pool,
  column: 'name' | 'cropX2',
  writers: number,
  duration: number,
): Promise<number> {
  const start = performance.now();
  let writes = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const client = await pool.connect();
      try {
        for (let i = 0; performance.now() - start < duration; i++) {
          // Each writer has its own rows, so that none waits for the locks of another. Each value differs from the previous one.
          const id = `d${1 + ((i * writers + writer) % 1_000)}`;
          await client.query({
            name: `update-${column}`,
            text: `update "Display" set "${column}" = $1 where "displayId" = $2`,
            values: [column === 'name' ? String(i) : 1 + (i % 1_000_000), id],
          });
          writes++;
        }
      } finally {
        client.release();
      }
    }),
  );
  return (writes * 1_000) / (performance.now() - start);
}
