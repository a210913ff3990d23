import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/support/create-test-database.js';
import type { TestDatabase } from '../../../test/support/create-test-database.js';
import { withClient } from './with-client.js';
import { seedDemo } from './seed-demo.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.drop();
});

const rows = <T>(sql: string) =>
  withClient(database.url, async (client) => (await client.query(sql)).rows as T[]);

describe('seedDemo', () => {
  it('inserts the demo once, and repairs it', async () => {
    expect(await seedDemo(database.url)).toEqual({ models: 2, playlists: 3, cameras: 6, displays: 8 });
    expect(await seedDemo(database.url)).toEqual({ models: 0, playlists: 0, cameras: 0, displays: 0 });
    await rows(`UPDATE "Camera" SET "rtspUrl" = 'rtsp://elsewhere/' WHERE "cameraIdentifier" = 'cam-001'`);
    await rows(`DELETE FROM "Model" WHERE name = 'vehicle-detector'`);
    expect(await seedDemo(database.url)).toEqual({ models: 1, playlists: 1, cameras: 1, displays: 0 });
  });

  it('does not change other rows', async () => {
    await rows(`INSERT INTO "Display" ("displayId", "updatedAt") VALUES ('mine', now())`);
    await seedDemo(database.url);
    expect(await rows(`SELECT 1 FROM "Display" WHERE "displayId" = 'mine'`)).toHaveLength(1);
  });

  it('contains the cases that a demonstration must show', async () => {
    expect(
      await rows(`SELECT "cameraIdentifier" FROM "Display" WHERE "playlistId" IS NOT NULL
                  GROUP BY "cameraIdentifier" HAVING count(*) > 1`),
    ).toEqual([{ cameraIdentifier: 'cam-003' }]);
    expect(
      await rows(
        `SELECT "displayId" FROM "Display" WHERE "cameraIdentifier" IS NOT NULL AND "playlistId" IS NULL`,
      ),
    ).toEqual([{ displayId: 'display-008' }]);
    expect(await rows(`SELECT 1 FROM "Camera" WHERE "rtspUrl" LIKE 'rtsp://%:%@%'`)).toHaveLength(1);
    expect(await rows(`SELECT 1 FROM "Playlist" WHERE "modelId" IS NULL`)).toHaveLength(0);
  });
});
