import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withPostgres } from './create-database.js';
import { launchPostgres, type PostgresService } from './start-postgres.js';
import { postgresUser } from './postgres-user.js';

/**
 * Starts a server from an online backup of another one that {@link startPostgres} has started.
 * @param as `standby`: it streams from the original, until `pg_promote()`. `image`: a primary with the data of this moment, on the same
 * timeline, as from a snapshot of the original's disk
 */
export function copyPostgres(original: PostgresService, as: 'standby' | 'image'): Promise<PostgresService> {
  const user = postgresUser();
  return launchPostgres(async (guard, data) => {
    const source = join(original.directory, 'data');
    await withPostgres(original.url, async (client) => {
      await client.query(`select pg_backup_start('copy', true)`);
      // A file that the server removes in the meantime is not needed.
      await guard.prepare(['cp', '-Rp', source, data]);
      const { rows } = await client.query<{ labelfile: string }>(
        'select labelfile from pg_backup_stop(false)',
      );
      await guard.prepare(['cp', '-Rp', join(source, 'pg_wal'), data]);
      for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(data, name), { force: true });
      const files = { backup_label: rows[0]!.labelfile, ...(as === 'standby' && { 'standby.signal': '' }) };
      for (const [name, text] of Object.entries(files)) {
        await writeFile(join(data, name), text);
        if (user !== undefined) await chown(join(data, name), user.uid, user.gid);
      }
    });
    return as === 'image'
      ? ({} as Record<string, string>)
      : { primary_conninfo: `host=127.0.0.1 port=${original.port} user=postgres` };
  });
}
