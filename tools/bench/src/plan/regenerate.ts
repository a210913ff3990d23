import { PrismaDesiredSource, type PrismaDesiredClient } from '@detector-cluster/detector-cluster/prisma';
import { createDatabase, startPostgres, withPostgres } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { PrismaPg } from '@prisma/adapter-pg';
import { timedRuns } from '../support/percentile.js';

const WARM_UP = 10;

interface GeneratedClient {
  PrismaClient: new (options: {
    adapter: PrismaPg;
  }) => PrismaDesiredClient & { $disconnect(): Promise<void> };
}

/**
 * Reads the desired state of this many displays, two on each camera, from Postgres, as a master does after each change.
 * Returns the duration of each run in milliseconds.
 */
export async function regenerate(displays: number, runs: number): Promise<number[]> {
  const postgres = await startPostgres();
  try {
    const url = await createDatabase(postgres.url, 'regenerate');
    await applyMigrations(url, MIGRATIONS_DIRECTORY);
    await fill(url, displays);
    return await measure(url, displays, runs);
  } finally {
    await postgres.stop();
  }
}

const fill = (url: string, displays: number) =>
  withPostgres(url, (client) =>
    client.query(`
    insert into "Model" ("name", "fileKey", "updatedAt") select 'model-' || i, 'k', now() from generate_series(1, 5) i;
    insert into "Playlist" ("name", "modelId", "updatedAt") select 'playlist-' || i, 1 + i % 5, now() from generate_series(1, 50) i;
    insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") select 'camera-' || i, 'rtsp://user:pw@10.0.0.1/' || i, now() from generate_series(0, ${displays / 2 - 1}) i;
    insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
      select 'display-' || i, 'camera-' || i / 2, 1 + i % 50, now() from generate_series(0, ${displays - 1}) i;
    analyze`),
  );

async function measure(url: string, displays: number, runs: number): Promise<number[]> {
  // The client is generated into the application and built with it.
  const generated = new URL('../../../../apps/cms-backend/dist/generated/prisma/client.js', import.meta.url);
  const { PrismaClient } = (await import(generated.href)) as GeneratedClient;
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  try {
    const source = new PrismaDesiredSource(prisma);
    const samples = await timedRuns(WARM_UP + runs, async () => {
      const { subscriptions } = await source.read();
      if (subscriptions.length !== displays) throw new Error(`read ${subscriptions.length} of ${displays}`);
    });
    return samples.slice(WARM_UP);
  } finally {
    await prisma.$disconnect();
  }
}
