import { withPostgres } from '@detector-cluster/dev-services';
import type { Sample } from './samples.js';

/** Three replicas start together. The migrating one is killed during the migration. */
export const migrationsOnce: Sample = {
  folder: '002-migrations-once',
  postgres: true,
  async play(stage) {
    const count = (text: string) => stage.lines.filter((line) => line.text.startsWith(text)).length;
    const replicas = await stage.startAll(3);
    const { replica: first } = await stage.hears('a replica migrates', ({ text }) => text === 'migrates');

    stage.say(`kill -9 ${first.name}, in the midst of the migration`);
    const readyTooEarly = count('is ready');
    await first.crash();
    const { replica: second } = await stage.hears(
      'another replica migrates',
      ({ replica, text }) => replica !== first && text === 'migrates',
    );
    await stage.until('all others are ready', () => count('is ready') === replicas.length - 1);
    const migratedAt = stage.lines.findIndex(({ text }) => text === 'has migrated');
    const firstReadyAt = stage.lines.findIndex(({ text }) => text.startsWith('is ready'));

    stage.say('a replica that starts later does not migrate again');
    const late = await stage.start();
    await stage.hears(
      'the late one is ready',
      ({ replica, text }) => replica === late && text.startsWith('is ready'),
    );
    const completed = await completedRuns(stage.databaseUrl);
    return {
      ok:
        readyTooEarly === 0 &&
        migratedAt !== -1 &&
        migratedAt < firstReadyAt &&
        completed.length === 1 &&
        completed[0] === second.name,
      begun: count('migrates'),
      completed: completed.length,
      waited: count('has waited'),
      readyTooEarly,
    };
  },
};

/** Names of the replicas whose migration was committed. */
async function completedRuns(databaseUrl: string): Promise<string[]> {
  const { rows } = await withPostgres(databaseUrl, (client) =>
    client.query<{ replica: string }>('SELECT replica FROM migration_run'),
  );
  return rows.map(({ replica }) => replica);
}
