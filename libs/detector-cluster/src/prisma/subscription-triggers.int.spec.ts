import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../../../apps/cms-backend/src/generated/prisma/client.js';
import { type QueryHookInput, TRANSACTION_SCOPE, type TransactionClient } from './extendable-client.js';
import { subscriptionTriggers, triggersExtension } from './subscription-triggers.js';

const name = `triggers_${randomUUID().replaceAll('-', '')}`;
const serverUrl = process.env.DATABASE_URL!;
const migrations = join(process.cwd(), 'prisma/migrations');

let plain: PrismaClient;
/** A connection of its own: what it sees is committed. */
let observer: pg.Client;
let url: string;
let next = 0;
const unique = (prefix: string) => `${prefix}-${(next += 1)}`;
const newCamera = () => ({ cameraIdentifier: unique('cam'), rtspUrl: 'rtsp://h/1' });
const turns = async (ms = 30) => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  url = await createDatabase(serverUrl, name);
  observer = new pg.Client({ connectionString: url });
  observer.on('error', () => undefined);
  await observer.connect();
  for (const folder of (await readdir(migrations, { withFileTypes: true })).filter((e) => e.isDirectory()))
    await observer.query(await readFile(join(migrations, folder.name, 'migration.sql'), 'utf8'));
  plain = new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: 30 }) });
});

afterAll(async () => {
  await plain.$disconnect();
  await observer.end();
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  await admin.end();
});

const camerasSeen = async () => Number((await observer.query('select count(*) from "Camera"')).rows[0].count);

describe.each([
  ['with the transaction ids of Prisma', true],
  ['by asynchronous context alone', false],
])('subscriptionTriggers %s', (_name, transactionIds) => {
  let published: string[];
  const extend = () =>
    plain.$extends(
      triggersExtension({ publish: ({ causes }) => published.push(causes.join(',')) }, { transactionIds }),
    );
  let prisma: ReturnType<typeof extend>;

  beforeEach(() => {
    published = [];
    prisma = extend();
  });

  it('single operations: once each; reads and failures never', async () => {
    const camera = await prisma.camera.create({ data: newCamera() });
    await prisma.camera.update({ where: { id: camera.id }, data: { rtspUrl: 'rtsp://h/2' } });
    await prisma.camera.findMany();
    await prisma.camera.count();
    await expect(
      prisma.camera.create({ data: { ...newCamera(), cameraIdentifier: camera.cameraIdentifier } }),
    ).rejects.toMatchObject({ code: 'P2002' });
    await expect(prisma.camera.delete({ where: { id: -1 } })).rejects.toMatchObject({ code: 'P2025' });
    // Refused by a check constraint of the table.
    await expect(prisma.camera.update({ where: { id: camera.id }, data: { cropX1: 5 } })).rejects.toThrow();
    await prisma.camera.delete({ where: { id: camera.id } });
    await turns();
    expect(published).toEqual(['camera.created', 'camera.updated', 'camera.deleted']);
  });

  it('only models and fields that matter', async () => {
    const display = await prisma.display.create({ data: { displayId: unique('d') } });
    await turns();
    published.length = 0;
    await prisma.display.update({ where: { id: display.id }, data: { name: 'new name' } });
    await prisma.display.updateMany({ data: { name: 'other', cropX1: undefined } });
    await turns();
    expect(published).toEqual([]);
    await prisma.display.update({ where: { id: display.id }, data: { cameraIdentifier: { set: null } } });
    await turns();
    expect(published).toEqual(['display.updated']);
  });

  it('nested create, createMany, createManyAndReturn, upsert, updateMany, deleteMany', async () => {
    const camera = await prisma.camera.create({
      data: {
        ...newCamera(),
        displays: { create: [{ displayId: unique('d') }, { displayId: unique('d') }] },
      },
    });
    await prisma.camera.createMany({ data: [newCamera(), newCamera()] });
    await prisma.camera.createManyAndReturn({ data: [newCamera()] });
    await prisma.model.upsert({
      where: { name: 'm' },
      create: { name: 'm', fileKey: 'k' },
      update: { fileKey: 'k2' },
    });
    await prisma.camera.updateMany({ where: { id: camera.id }, data: { snapshotInterval: 1000 } });
    await prisma.display.deleteMany({ where: { cameraIdentifier: camera.cameraIdentifier } });
    await turns();
    expect(published).toEqual([
      'camera.created',
      'camera.created',
      'camera.created',
      'model.saved',
      'camera.updated',
      'display.deleted',
    ]);
  });

  it('raw SQL: writes yes, reads no', async () => {
    await prisma.$executeRaw`update "Camera" set "rtspUrl" = ${'rtsp://h/9'}`;
    await prisma.$executeRawUnsafe('delete from "Camera" where id = $1', -1);
    await prisma.$queryRaw`insert into "Model" ("name", "fileKey", "updatedAt") values (${unique('m')}, 'k', now()) returning id`;
    await prisma.$queryRaw`select count(*) from "Camera" where "rtspUrl" <> 'update'`;
    await prisma.$queryRawUnsafe('show server_version');
    await turns();
    expect(published).toEqual(['database.changed', 'database.changed', 'database.changed']);
  });

  it('interactive: one publication after the commit, when the rows are visible', async () => {
    const before = await camerasSeen();
    const counts: number[] = [];
    const seen = plain.$extends(
      triggersExtension({ publish: async () => counts.push(await camerasSeen()) }, { transactionIds }),
    );
    await seen.$transaction(
      async (tx) => {
        await tx.camera.create({ data: newCamera() });
        await tx.camera.create({ data: newCamera() });
        await tx.$executeRaw`update "Display" set "name" = 'x'`;
        await turns(50);
        expect(counts).toEqual([]);
      },
      { isolationLevel: 'Serializable' },
    );
    await turns(100);
    expect(counts).toEqual([before + 2]);
  });

  it('interactive: nothing after a throw, a timeout, or reads alone', async () => {
    await expect(
      prisma.$transaction(async (tx) => {
        await tx.camera.create({ data: newCamera() });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await expect(
      prisma.$transaction(
        async (tx) => {
          await tx.camera.create({ data: newCamera() });
          await turns(200);
        },
        { timeout: 50 },
      ),
    ).rejects.toMatchObject({ code: 'P2028' });
    await prisma.$transaction((tx) => tx.camera.findMany());
    await turns();
    expect(published).toEqual([]);
  });

  it('nested: what the inner rolls back is dropped, and everything when the outer does', async () => {
    await prisma.$transaction(async (tx) => {
      await tx.camera.create({ data: newCamera() });
      await tx
        .$transaction(async (inner) => {
          await inner.display.create({ data: { displayId: unique('d') } });
          throw new Error('inner');
        })
        .catch(() => undefined);
      await tx.$transaction((inner) => inner.model.create({ data: { name: unique('m'), fileKey: 'k' } }));
      await turns();
      expect(published).toEqual([]);
    });
    await turns();
    expect(published).toEqual(['camera.created,model.created']);

    await expect(
      prisma.$transaction(async (tx) => {
        await tx.$transaction((inner) => inner.camera.create({ data: newCamera() }));
        throw new Error('outer');
      }),
    ).rejects.toThrow('outer');
    await turns();
    expect(published).toHaveLength(1);
  });

  it('array: one publication on commit, none on rollback', async () => {
    await prisma.$transaction([
      prisma.camera.create({ data: newCamera() }),
      prisma.display.create({ data: { displayId: unique('d') } }),
      prisma.camera.findMany(),
    ]);
    await turns();
    expect(published).toEqual(['camera.created,display.created']);
    const twice = newCamera();
    await expect(
      prisma.$transaction([
        prisma.camera.create({ data: newCamera() }),
        prisma.camera.create({ data: twice }),
        prisma.camera.create({ data: twice }),
      ]),
    ).rejects.toMatchObject({ code: 'P2002' });
    await turns();
    expect(published).toHaveLength(1);
  });

  it('20 transactions at once, 10 of them rolled back: 10 publications', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        prisma.$transaction(
          async (tx) => {
            await tx.camera.create({ data: newCamera() });
            await turns(i % 5);
            await tx.display.create({ data: { displayId: unique('d') } });
            if (i % 2 === 0) throw new Error('rolled back');
          },
          { maxWait: 20_000, timeout: 20_000 },
        ),
      ),
    );
    await turns();
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(published).toEqual(Array.from({ length: 10 }, () => 'camera.created,display.created'));
  });

  it('a publisher that hangs, throws or rejects neither delays nor fails the write', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => {
      errors.push(error);
      throw new Error('the reporter fails too');
    };
    const failing = [
      () => new Promise(() => undefined),
      () => {
        throw new Error('at once');
      },
      async () => Promise.reject(new Error('later')),
    ];
    for (const publish of failing) {
      const client = plain.$extends(triggersExtension({ publish, onError }, { transactionIds }));
      await client.camera.create({ data: newCamera() });
      await client.$transaction(async (tx) => tx.camera.create({ data: newCamera() }));
      await client.$transaction([client.camera.create({ data: newCamera() })]);
    }
    await turns();
    expect(errors.map((error) => (error as Error).message)).toEqual([
      ...Array.from({ length: 3 }, () => 'at once'),
      ...Array.from({ length: 3 }, () => 'later'),
    ]);
  });
});

describe('subscriptionTriggers', () => {
  let published: string[];
  let prisma: ReturnType<typeof extend>;
  const extend = () =>
    plain.$extends(
      subscriptionTriggers({ trigger: { triggerSubscriptionUpdate: (cause) => published.push(cause) } }),
    );

  beforeEach(() => {
    published = [];
    prisma = extend();
  });
  afterEach(() => turns());

  it('a tx that is used from another context still belongs to its transaction', async () => {
    let leak!: (tx: Parameters<Parameters<typeof prisma.$transaction>[0]>[0]) => void;
    const leaked = new Promise<Parameters<Parameters<typeof prisma.$transaction>[0]>[0]>((resolve) => {
      leak = resolve;
    });
    const elsewhere = leaked.then(async (tx) => {
      await tx.camera.create({ data: newCamera() });
      await turns();
      return [...published];
    });
    await prisma.$transaction(async (tx) => {
      leak(tx);
      expect(await elsewhere).toEqual([]);
    });
    await turns();
    expect(published).toEqual(['camera.created']);
  });

  it('a write of the root client inside of a transaction that is rolled back did commit', async () => {
    await expect(
      prisma.$transaction(async (tx) => {
        await tx.display.create({ data: { displayId: unique('d') } });
        await prisma.camera.create({ data: newCamera() });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await turns();
    expect(published).toEqual(['camera.created']);
  });

  it('works with another extension after it, whose methods stay', async () => {
    const both = prisma.$extends({
      query: { $allModels: { $allOperations: ({ args, query }) => query(args) } },
      client: { hello: () => 'hello' },
    });
    expect(both.hello()).toBe('hello');
    await both.$transaction(async (tx) => {
      await tx.camera.create({ data: newCamera() });
      await tx.camera.create({ data: newCamera() });
    });
    await both.$transaction([both.camera.create({ data: newCamera() })]);
    await turns();
    expect(published).toEqual(['camera.created', 'camera.created']);
  });

  it('triggers when the connection is lost and nobody knows whether the COMMIT arrived', async () => {
    await expect(
      prisma.$transaction(async (tx) => {
        await tx.camera.create({ data: newCamera() });
        const [{ pid }] = await tx.$queryRaw<[{ pid: number }]>`select pg_backend_pid() as pid`;
        await observer.query('select pg_terminate_backend($1)', [pid]);
        await turns(100);
      }),
    ).rejects.toThrow();
    await turns();
    expect(published).toEqual(['camera.created']);
  });

  it('reports each model when told to watch it', async () => {
    const only = plain.$extends(
      subscriptionTriggers({
        publish: ({ causes }) => published.push(...causes),
        models: { Model: ['fileKey'] },
      }),
    );
    await only.camera.create({ data: newCamera() });
    const model = await only.model.create({ data: { name: unique('m'), fileKey: 'k' } });
    await only.model.update({ where: { id: model.id }, data: { name: unique('m') } });
    await only.model.update({ where: { id: model.id }, data: { fileKey: 'k2' } });
    await turns();
    expect(published).toEqual(['model.created', 'model.updated']);
  });
});

const scopeOf = (client: object) => (client as TransactionClient)[TRANSACTION_SCOPE];

describe('what the extension takes for granted of Prisma without its documentation', () => {
  it('query hooks learn the kind and the id of the transaction; tx carries the same id under the scope symbol', async () => {
    const seen: unknown[] = [];
    const ids: unknown[] = [];
    const client = plain.$extends({
      query: {
        $allOperations(input) {
          const { __internalParams: internal } = input as QueryHookInput;
          seen.push(internal === undefined ? 'missing' : (internal.transaction ?? 'none'));
          return input.query(input.args);
        },
      },
    });
    expect(scopeOf(client)).toBeUndefined();
    await client.camera.count();
    await client.$transaction(async (tx) => {
      ids.push(scopeOf(tx)?.txId);
      await tx.camera.count();
      await tx.$transaction(async (inner) => {
        ids.push(scopeOf(inner)?.txId);
        await inner.$executeRaw`select 1`;
      });
    });
    await client.$transaction([client.camera.count()]);
    expect(ids[0]).toBeDefined();
    expect(ids[1]).toBe(ids[0]);
    expect(seen).toMatchObject([
      'none',
      { kind: 'itx', id: ids[0] },
      { kind: 'itx', id: ids[0] },
      { kind: 'batch' },
    ]);
  });

  it('a statement of an array resolves although the array is rolled back', async () => {
    const resolved: string[] = [];
    const client = plain.$extends({
      query: {
        async $allOperations({ operation, args, query }) {
          const result = await query(args);
          resolved.push(operation);
          return result;
        },
      },
    });
    const twice = newCamera();
    await client
      .$transaction([client.camera.create({ data: twice }), client.camera.create({ data: twice })])
      .catch(() => undefined);
    expect(resolved).toEqual(['create']);
    expect(await plain.camera.count({ where: twice })).toBe(0);
  });
});
