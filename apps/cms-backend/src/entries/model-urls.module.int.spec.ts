import type { ModelFile } from '@detector-cluster/detector-cluster';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { createPrismaClient } from '../stores/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { createModelUrls, type ModelStore } from './model-urls.module.js';

describe('URLs of models', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let prisma: PrismaClient;
  let model: { modelId: number; modelName: string };
  let store: Server;
  let s3: Extract<ModelStore, { bucket: string }>;

  beforeAll(async () => {
    store = createServer((_, response) => response.writeHead(200, { etag: '"e7a6"' }).end());
    await once(store.listen(0, '127.0.0.1'), 'listening');
    s3 = {
      bucket: 'models',
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'the-id', secretAccessKey: 'the-s3cret' },
      expiresIn: 60_000,
    };
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    // A pool ends before its sessions do: the end of the database can reach them.
    pool.on('error', () => undefined);
    prisma = createPrismaClient({ pool });
    const { id, name } = await prisma.model.create({ data: { name: 'cars', fileKey: 'a b/cars.mpta' } });
    model = { modelId: id, modelName: name };
  });
  afterAll(async () => {
    await prisma?.$disconnect();
    await pool?.end();
    await database?.drop();
    store?.closeAllConnections();
    store?.close();
  });

  it('follow the key that the database has at that moment', async () => {
    const urls = await createModelUrls({ baseUrl: 'http://models.example.com/x/' }, prisma);
    expect(await urls.urlFor(model)).toEqual({
      url: 'http://models.example.com/x/a%20b/cars.mpta',
      version: 'a b/cars.mpta',
    });
    await prisma.model.update({ where: { id: model.modelId }, data: { fileKey: '/new.mpta' } });
    expect(await urls.urlFor(model)).toEqual({
      url: 'http://models.example.com/x/new.mpta',
      version: '/new.mpta',
    });
    expect(await urls.urlFor({ ...model, version: 'a b/cars.mpta' })).toEqual({
      url: 'http://models.example.com/x/a%20b/cars.mpta',
      version: 'a b/cars.mpta',
    });
    expect(await urls.urlFor({ ...model, version: 'sha256:12' })).toMatchObject({ version: '/new.mpta' });
    await prisma.model.update({ where: { id: model.modelId }, data: { fileKey: 'a b/cars.mpta' } });
  });

  it.each(['k'.repeat(129), 'cafe\u0301.mpta', 'a\u200bb.mpta'])(
    'have a hash as the version where the key %j cannot be one',
    async (fileKey) => {
      const urls = await createModelUrls({ baseUrl: 'http://models.example.com' }, prisma);
      await prisma.model.update({ where: { id: model.modelId }, data: { fileKey } });
      expect(await urls.urlFor(model)).toMatchObject({
        version: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      });
      await prisma.model.update({ where: { id: model.modelId }, data: { fileKey: 'a b/cars.mpta' } });
    },
  );

  it('are presigned if models are in S3, with the configured settings', async () => {
    const file = await (await createModelUrls(s3, prisma)).urlFor(model);
    expect(file).toMatchObject({ version: 'a b/cars.mpta@e7a6' });
    const url = new URL((file as ModelFile).url);
    expect(`${url.origin}${url.pathname}`).toBe(`${s3.endpoint}/models/a%20b/cars.mpta`);
    expect(url.searchParams.get('X-Amz-Credential')).toMatch(
      /^the-id\/\d{8}\/eu-central-1\/s3\/aws4_request$/,
    );
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    expect(url.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    expect(url.href).not.toContain('the-s3cret');
  });

  it('are not made for a model that no longer exists', async () => {
    for (const where of [s3, { baseUrl: 'http://models.example.com' }])
      await expect(
        (await createModelUrls(where, prisma)).urlFor({ modelId: 2_000_000_000, modelName: 'gone' }),
      ).rejects.toThrow('there is no model 2000000000');
  });
});
