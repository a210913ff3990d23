import { expect, it } from 'vitest';
import { newDatabase, withPostgres } from './index.js';

const server = () => process.env.DATABASE_URL!;

it('newDatabase makes a database on a given server, and removes it', async () => {
  const name = `spec_${process.pid}`;
  const names = async () => {
    const { rows } = await withPostgres(server(), (client) =>
      client.query<{ datname: string }>('SELECT datname FROM pg_database'),
    );
    return rows.map(({ datname }) => datname);
  };
  const database = await newDatabase(server(), name);
  await withPostgres(database.url, (client) => client.query('SELECT 1'));
  expect(await names()).toContain(name);
  await database.stop();
  expect(await names()).not.toContain(name);
});
