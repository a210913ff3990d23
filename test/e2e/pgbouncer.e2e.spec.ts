import { startPgBouncer, type PgBouncerService } from '@detector-cluster/dev-services';
import pg from 'pg';
import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { afterEach, describe, expect, it } from 'vitest';
import { allActive, masterOf, TIMEOUT, useClusters } from './support/cluster.js';

describe('behind PgBouncer in transaction mode', () => {
  const startCluster = useClusters();
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  it(
    'backends run the cameras, also those of another program, and take over from each other',
    async () => {
      const cluster = await startCluster({ backends: 0, workers: 1 });
      const pooler: PgBouncerService = await startPgBouncer(cluster.databaseUrl, { mode: 'transaction' });
      closing.push(() => pooler.stop());
      const program = new pg.Client({ connectionString: cluster.databaseUrl });
      closing.push(() => program.end());
      await program.connect();
      await installChangeFeed(program);
      for (let i = 0; i < 2; i++)
        await cluster.addBackend({
          DATABASE_URL: `${pooler.through(cluster.databaseUrl)}?pgbouncer=true`,
          DIRECT_URL: cluster.databaseUrl,
          CHANGE_FEED: 'true',
        });
      const master = await masterOf(cluster);
      const before = await allActive(cluster);
      await program.query(
        `update "Display" set "playlistId" = (select min(id) from "Playlist") where "playlistId" is null`,
      );
      await allActive(cluster, before + 1);
      const metrics = await (await fetch(`${master.url}/metrics`)).text();
      expect(metrics).toMatch(/regeneration_reasons_total\{[^}]*"change-feed"[^}]*\} [1-9]/);
      await master.kill();
      await masterOf(cluster, master);
      expect(await allActive(cluster)).toBe(before + 1);
    },
    4 * TIMEOUT,
  );
});
