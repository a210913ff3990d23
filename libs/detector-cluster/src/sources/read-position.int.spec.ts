import { copyPostgres, databaseAddress, startPostgres, withPostgres } from '@detector-cluster/dev-services';
import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PrismaClient } from '../../../../apps/cms-backend/src/generated/prisma/client.js';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { eventually } from '../../../../test/support/until.js';
import { following, whyBehind, type DatabasePosition } from './database-history.js';
import { PrismaDesiredSource } from './prisma-desired-source.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

type Postgres = Awaited<ReturnType<typeof startPostgres>>;

const DATABASE = 'positions';
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

async function started(starting: Promise<Postgres>): Promise<Postgres> {
  const server = await starting;
  ends.push(() => server.stop());
  return server;
}

let primary: Postgres;
beforeAll(async () => {
  primary = await started(startPostgres());
  await applyMigrations(await primary.createDatabase(DATABASE), MIGRATIONS_DIRECTORY);
});

const addressOf = (server: Postgres) => databaseAddress(server.url, DATABASE);

async function positionOf(server: Postgres): Promise<DatabasePosition> {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: addressOf(server) }) });
  try {
    for await (const { position } of new PrismaDesiredSource(prisma).read())
      return position as DatabasePosition;
    throw new Error('there is no page');
  } finally {
    await prisma.$disconnect();
  }
}

const add = (server: Postgres, camera: string) =>
  withPostgres(addressOf(server), (client) =>
    client.query(
      `insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") values ($1, 'rtsp://h/1', now())`,
      [camera],
    ),
  );

describe('the position of a database', () => {
  it('tells a standby, an image of the disk, and a primary that was replaced, from the present primary', async () => {
    const image = await started(copyPostgres(primary, 'image'));
    const standby = await started(copyPostgres(primary, 'standby'));
    await add(primary, 'c1');
    const first = await positionOf(primary);
    expect(first).toMatchObject({ timeline: 1, system: expect.stringMatching(/^\d+$/) });
    expect(await positionOf(standby)).toBe('standby');
    expect(whyBehind(following(null, first), await positionOf(image))).toMatch(/^the database is at /);
    expect(whyBehind(following(null, first), await positionOf(primary))).toBeNull();

    await eventually('the standby to have the row', 30_000, () =>
      withPostgres(
        addressOf(standby),
        async (client) => (await client.query('select from "Camera"')).rowCount === 1,
      ),
    );
    await withPostgres(standby.url, (client) => client.query('select pg_promote()'));
    const promoted = await positionOf(standby);
    expect(promoted).toMatchObject({ timeline: 2, system: first.system });
    const history = following(following(null, first), promoted);
    await withPostgres(primary.url, (client) => client.query('select pg_switch_wal()'));
    await add(primary, 'c2');
    const former = await positionOf(primary);
    expect(whyBehind(following(null, first), former)).toBeNull();
    expect(whyBehind({ ...history, timeline: 1 }, former)).toBeNull();
    expect(whyBehind(history, former)).toMatch(/timeline 1, and timeline 2 has been read/);
  });

  it('is not known to a user without the right to ask, who reads all the same', async () => {
    await withPostgres(addressOf(primary), (client) =>
      client.query(`
        revoke execute on function pg_control_system() from public;
        create role reader login;
        grant select on all tables in schema public to reader`),
    );
    const address = new URL(addressOf(primary));
    address.username = 'reader';
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: address.href }) });
    let asked = 0;
    const counting = prisma.$extends({
      query: {
        $queryRawUnsafe({ args, query }) {
          asked++;
          return query(args);
        },
      },
    });
    const source = new PrismaDesiredSource(counting);
    for (let i = 0; i < 2; i++)
      for await (const { position, subscriptions } of source.read())
        expect({ position, subscriptions }).toEqual({ position: undefined, subscriptions: [] });
    expect(asked).toBe(1);
    await prisma.$disconnect();
  });
});
