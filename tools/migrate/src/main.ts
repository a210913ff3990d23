import { installChangeFeed, removeChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { schemaOf } from '@detector-cluster/election/internal';
import { applyMigrations, markRolledBack, MIGRATIONS_DIRECTORY } from './apply-migrations.js';
import { seedDemo } from './seed-demo.js';
import { withClient } from './with-client.js';

const USAGE = `usage: npm run migrate                        apply pending migrations
       npm run migrate -- rolled-back <name>  allow a failed migration to be applied again
       npm run migrate -- change-feed <action>  "install" or "remove" the triggers for CHANGE_FEED
       npm run seed                           apply pending migrations, then put in the demo's data
DATABASE_URL names the database and, with ?schema=, the schema. DIRECT_URL is used instead where DATABASE_URL leads to a pooler.`;

async function main([command = 'apply', ...rest]: string[]): Promise<number> {
  const databaseUrl = process.env.DIRECT_URL || process.env.DATABASE_URL;
  const known = /^(?:apply|seed|rolled-back [^ ]+|change-feed (?:install|remove))$/.test(
    [command, ...rest].join(' '),
  );
  if (!databaseUrl || !known) {
    console.error(USAGE);
    return 2;
  }
  // The service reads the schema from DATABASE_URL.
  if (schemaOf(process.env.DATABASE_URL || databaseUrl) !== schemaOf(databaseUrl))
    throw new Error(
      'DIRECT_URL names another schema than DATABASE_URL; give both the same parameter "schema"',
    );
  if (command === 'change-feed') {
    const install = rest[0] === 'install';
    const change = install ? installChangeFeed : removeChangeFeed;
    await withClient(databaseUrl, (client, schema) => change(client, { schema }));
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
