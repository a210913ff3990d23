import { type PrismaDesiredClient } from '@detector-cluster/detector-cluster/prisma';
import { createDatabase, withPostgres } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { PrismaPg } from '@prisma/adapter-pg';

interface Table {
  updateMany(args: object): Promise<object>;
}

type Client = PrismaDesiredClient & {
  readonly display: Table;
  readonly camera: Table;
  $disconnect(): Promise<void>;
};

interface GeneratedClient {
  PrismaClient: new (options: { adapter: PrismaPg }) => Client;
}

/** Makes a database with the reference schema and no rows. Returns its URL. */
export async function createDisplayDatabase(postgresUrl: string, name: string): Promise<string> {
  const url = await createDatabase(postgresUrl, name);
  await applyMigrations(url, MIGRATIONS_DIRECTORY);
  return url;
}

/** Adds displays with so many on each camera; the first one is `display-0;camera-0`. They refer to 50 playlists with 5 models. */
export async function addDisplays(url: string, displays: number, onEachCamera: number): Promise<void> {
  await withPostgres(url, (client) =>
    client.query(`
    insert into "Model" ("name", "fileKey", "updatedAt") select 'model-' || i, 'k', now() from generate_series(1, 5) i;
    insert into "Playlist" ("name", "modelId", "updatedAt") select 'playlist-' || i, 1 + i % 5, now() from generate_series(1, 50) i;
    insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt")
      select 'camera-' || i, 'rtsp://user:pw@10.0.0.1/' || i, now() from generate_series(0, ${Math.ceil(displays / onEachCamera) - 1}) i;
    insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
      select 'display-' || i, 'camera-' || i / ${onEachCamera}, 1 + i % 50, now() from generate_series(0, ${displays - 1}) i;
    analyze`),
  );
}

/** The client of the reference service, which is generated into it and built with it. */
export async function openDisplayClient(url: string): Promise<Client> {
  const generated = new URL('../../../../apps/cms-backend/dist/generated/prisma/client.js', import.meta.url);
  const { PrismaClient } = (await import(generated.href)) as GeneratedClient;
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
}

/** How often a benchmark writes many rows at once. Milliseconds. */
export const BULK_INTERVAL = 1_000;
