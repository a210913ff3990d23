import pg from 'pg';

/** Runs `work` on a separate connection to a database. */
export async function withPostgres<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The failing query reports the error itself.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates a database on the server of `url` and returns the new one's address. */
export async function createDatabase(url: string, name: string): Promise<string> {
  await withPostgres(url, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`));
  return databaseAddress(url, name);
}

/** Drops a database on the server of `url` if it exists, and closes its open connections. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await withPostgres(url, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  );
}

/** The address of another database of the same server. */
export function databaseAddress(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${encodeURIComponent(name)}`;
  return address.href;
}
