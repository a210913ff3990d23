import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  allPublished,
  newCamera,
  openTriggersDatabase,
  TRIGGER_MODES,
  type TriggersDatabase,
  unique,
} from '../../../../../test/support/triggers-database.js';
import { triggersExtension } from './subscription-triggers.js';
import { until } from '../../../../../test/support/until.js';

describe.each(TRIGGER_MODES)('interactive transactions, %s', (_name, transactionIds) => {
  let database: TriggersDatabase;
  let published: string[];
  let prisma: ReturnType<typeof extend>;
  const extend = () =>
    database.plain.$extends(
      triggersExtension({ publish: ({ causes }) => published.push(causes.join(',')) }, { transactionIds }),
    );

  beforeAll(async () => {
    database = await openTriggersDatabase();
    prisma = extend();
  });
  afterAll(() => database.close());
  beforeEach(() => {
    published = [];
  });

  it('publish once after the commit, when the rows are visible', async () => {
    const before = await database.camerasSeen();
    const counts: number[] = [];
    const seen = database.plain.$extends(
      triggersExtension(
        { publish: async () => counts.push(await database.camerasSeen()) },
        { transactionIds },
      ),
    );
    await seen.$transaction(
      async (tx) => {
        await tx.camera.create({ data: newCamera() });
        await tx.camera.create({ data: newCamera() });
        await tx.$executeRaw`update "Display" set "name" = 'x'`;
        await allPublished();
        expect(counts).toEqual([]);
      },
      { isolationLevel: 'Serializable' },
    );
    await until(() => counts.length > 0);
    expect(counts).toEqual([before + 2]);
  });

  it('publish nothing after a throw, after a timeout, or for reads alone', async () => {
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
          await sleep(200);
        },
        { timeout: 50 },
      ),
    ).rejects.toMatchObject({ code: 'P2028' });
    await prisma.$transaction((tx) => tx.camera.findMany());
    await allPublished();
    expect(published).toEqual([]);
  });

  it('drop the changes of an inner transaction that is rolled back, and all changes if the outer one is', async () => {
    await prisma.$transaction(async (tx) => {
      await tx.camera.create({ data: newCamera() });
      await tx
        .$transaction(async (inner) => {
          await inner.display.create({ data: { displayId: unique('d') } });
          throw new Error('inner');
        })
        .catch(() => undefined);
      await tx.$transaction((inner) => inner.model.create({ data: { name: unique('m'), fileKey: 'k' } }));
      await allPublished();
      expect(published).toEqual([]);
    });
    await allPublished();
    expect(published).toEqual(['camera.created,model.created']);

    await expect(
      prisma.$transaction(async (tx) => {
        await tx.$transaction((inner) => inner.camera.create({ data: newCamera() }));
        throw new Error('outer');
      }),
    ).rejects.toThrow('outer');
    await allPublished();
    expect(published).toHaveLength(1);
  });

  it('publish 10 times if 10 of 20 simultaneous transactions are rolled back', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        prisma.$transaction(
          async (tx) => {
            await tx.camera.create({ data: newCamera() });
            await sleep(i % 5);
            await tx.display.create({ data: { displayId: unique('d') } });
            if (i % 2 === 0) throw new Error('rolled back');
          },
          { maxWait: 20_000, timeout: 20_000 },
        ),
      ),
    );
    await allPublished();
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(published).toEqual(Array.from({ length: 10 }, () => 'camera.created,display.created'));
  });

  it('count as rolled back if they fail at COMMIT', async () => {
    await database.observer.query(`
      create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create constraint trigger refuse after insert on "Model" deferrable initially deferred for each row execute function refuse()`);
    try {
      await expect(
        prisma.$transaction(async (tx) => {
          await tx.camera.create({ data: newCamera() });
          await tx.model.create({ data: { name: unique('m'), fileKey: 'k' } });
        }),
      ).rejects.toThrow('refused');
      await expect(prisma.model.create({ data: { name: unique('m'), fileKey: 'k' } })).rejects.toThrow(
        'refused',
      );
    } finally {
      await database.observer.query('drop trigger refuse on "Model"');
    }
    await allPublished();
    expect(published).toEqual([]);
  });
});
