import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import type { ModelStore } from '../config/app-config.js';
import { createPrismaClient } from '../database/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { createModelUrls } from './model-urls.module.js';

describe('URLs of models', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let prisma: PrismaClient;
  let model: { modelId: number; modelName: string };

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    prisma = createPrismaClient({ pool });
    const { id, name } = await prisma.model.create({ data: { name: 'cars', fileKey: 'a b/cars.mpta' } });
    model = { modelId: id, modelName: name };
  });
  afterAll(async () => {
    await prisma?.$disconnect();
    await pool?.end();
    await database?.drop();
  });

  const s3: ModelStore = {
    bucket: 'models',
    region: 'eu-central-1',
    endpoint: 'http://store.example.com:9000',
    credentials: { accessKeyId: 'the-id', secretAccessKey: 'the-s3cret' },
    expiresIn: 60_000,
  };

  it('follow the key that the database has at that moment', async () => {
    const urls = await createModelUrls({ baseUrl: 'http://models.example.com/x/' }, prisma);
    expect(await urls.urlFor(model)).toBe('http://models.example.com/x/a%20b/cars.mpta');
    await prisma.model.update({ where: { id: model.modelId }, data: { fileKey: '/new.mpta' } });
    expect(await urls.urlFor(model)).toBe('http://models.example.com/x/new.mpta');
    await prisma.model.update({ where: { id: model.modelId }, data: { fileKey: 'a b/cars.mpta' } });
  });

  it('are presigned if models are in S3, with the configured settings', async () => {
    const url = new URL(await (await createModelUrls(s3, prisma)).urlFor(model));
    expect(`${url.origin}${url.pathname}`).toBe('http://store.example.com:9000/models/a%20b/cars.mpta');
    expect(url.searchParams.get('X-Amz-Credential')).toMatch(
      /^the-id\/\d{8}\/eu-central-1\/s3\/aws4_request$/,
    );
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    expect(url.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    expect(url.href).not.toContain('the-s3cret');
  });

  it('are not made for a model that no longer exists', async () => {
    for (const store of [s3, { baseUrl: 'http://models.example.com' }])
      await expect(
        (await createModelUrls(store, prisma)).urlFor({ modelId: 2_000_000_000, modelName: 'gone' }),
      ).rejects.toThrow('there is no model 2000000000');
  });
});
