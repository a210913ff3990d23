import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Prisma, type PrismaClient } from '../../../../../apps/cms-backend/src/generated/prisma/client.js';
import {
  allPublished,
  newCamera,
  openTriggersDatabase,
  type TriggersDatabase,
} from '../../../../../test/support/triggers-database.js';
import { subscriptionTriggers } from './subscription-triggers.js';

/** Row level security as Prisma's documentation does it: each query in an array of its own, behind a setting. */
const rowLevelSecurity = Prisma.defineExtension((client) =>
  client.$extends({
    name: 'row-level-security',
    query: {
      $allModels: {
        async $allOperations({ args, query }) {
          const [, result] = await client.$transaction([
            client.$executeRaw`select set_config('app.tenant', '1', true)`,
            query(args) as never,
          ]);
          return result;
        },
      },
    },
  }),
);

describe('other extensions', () => {
  let database: TriggersDatabase;
  let published: string[];
  let prisma: ReturnType<typeof extend>;
  const extend = () =>
    database.plain.$extends(
      subscriptionTriggers({ trigger: { triggerSubscriptionUpdate: (cause) => published.push(cause) } }),
    );

  beforeAll(async () => {
    database = await openTriggersDatabase();
    prisma = extend();
  });
  afterAll(() => database.close());
  beforeEach(() => {
    published = [];
  });

  it('keep their methods, and see the same queries as ours', async () => {
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
    await allPublished();
    expect(published).toEqual(['camera.created', 'camera.created']);
  });

  describe.each([
    ['after ours', () => prisma.$extends(rowLevelSecurity) as unknown as PrismaClient],
    ['before ours', () => withOurs(database.plain.$extends(rowLevelSecurity)) as unknown as PrismaClient],
  ])('that put each query into a transaction, applied %s', (_where, make) => {
    let client: PrismaClient;
    beforeAll(() => {
      client = make();
    });

    it('announce each write once, after its commit', async () => {
      const camera = newCamera();
      await client.camera.create({ data: camera });
      await client.camera.updateMany({ where: camera, data: { rtspUrl: 'rtsp://h/2' } });
      await client.camera.findMany();
      await allPublished();
      expect(published).toEqual(['camera.created', 'camera.updated']);
    });

    it('announce nothing for a write that was refused', async () => {
      const camera = newCamera();
      await database.plain.camera.create({ data: camera });
      await expect(client.camera.create({ data: camera })).rejects.toMatchObject({ code: 'P2002' });
      await allPublished();
      expect(published).toEqual([]);
    });
  });

  const withOurs = <C>(client: C) =>
    subscriptionTriggers({ trigger: { triggerSubscriptionUpdate: (cause) => published.push(cause) } })(
      client,
    );
});
