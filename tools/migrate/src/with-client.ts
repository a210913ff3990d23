import { readPostgresUrl, requireDirect } from '@detector-cluster/election/internal';
import pg from 'pg';

const NEEDS_DIRECT =
  'this address leads to a pooler such as PgBouncer, but the lock of migrations needs a session of its own: give the direct address of the database in DIRECT_URL';

/** Runs `work` on a separate connection, in the schema of the URL or else in `public`, as Prisma does. */
export async function withClient<T>(
  databaseUrl: string,
  work: (client: pg.Client, schema: string) => Promise<T>,
): Promise<T> {
  const url = readPostgresUrl(databaseUrl, {
    connectionTimeoutMillis: 10_000,
    application_name: 'detector-cluster-migrate',
  });
  const { schema = 'public' } = url;
  const client = new pg.Client(url.client);
  // A connection that breaks between two queries emits this event. The next query also rejects.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await requireDirect(client, NEEDS_DIRECT);
    await url.begin(client);
    await client.query(`SET search_path = ${pg.escapeIdentifier(schema)}`);
    return await work(client, schema);
  } finally {
    await client.end();
  }
}
