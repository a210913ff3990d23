import { installChangeFeed, removeChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { applyMigrations, markRolledBack, MIGRATIONS_DIRECTORY } from './apply-migrations.js';
import { seedDemo } from './seed-demo.js';
import { withClient } from './with-client.js';

const USAGE = `usage: npm run migrate                        apply pending migrations
       npm run migrate -- rolled-back <name>  allow a failed migration to be applied again
       npm run migrate -- change-feed <action>  "install" or "remove" the triggers for CHANGE_FEED
       npm run seed                           apply pending migrations, then put in the demo's data
DATABASE_URL names the database.`;

async function main([command = 'apply', ...rest]: string[]): Promise<number> {
  const databaseUrl = process.env.DATABASE_URL;
  const known = /^(?:apply|seed|rolled-back [^ ]+|change-feed (?:install|remove))$/.test(
    [command, ...rest].join(' '),
  );
  if (!databaseUrl || !known) {
    console.error(USAGE);
    return 2;
  }
  if (command === 'change-feed') {
    const install = rest[0] === 'install';
    await withClient(
      databaseUrl,
      install ? (client) => installChangeFeed(client) : (client) => removeChangeFeed(client),
    );
    console.log(`change feed: ${install ? 'installed' : 'removed'}`);
    return 0;
  }
  if (command === 'rolled-back') {
    await markRolledBack(databaseUrl, rest[0]!);
    console.log(`${rest[0]}: may be applied again`);
    return 0;
  }
  const { applied, present } = await applyMigrations(databaseUrl, MIGRATIONS_DIRECTORY);
  for (const name of applied) console.log(`applied ${name}`);
  if (applied.length === 0) console.log(`up to date (${present.length} applied before)`);
  if (command === 'seed') {
    const rows = await seedDemo(databaseUrl);
    console.log(
      `demo data: ${Object.entries(rows)
        .map(([table, count]) => `${count} ${table}`)
        .join(', ')} written`,
    );
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
