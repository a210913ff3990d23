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

describe.each(TRIGGER_MODES)('arrays, %s', (_name, transactionIds) => {
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

  it('publish once on commit, and never on rollback', async () => {
    await prisma.$transaction([
      prisma.camera.create({ data: newCamera() }),
      prisma.display.create({ data: { displayId: unique('d') } }),
      prisma.camera.findMany(),
    ]);
    await allPublished();
    expect(published).toEqual(['camera.created,display.created']);
    const twice = newCamera();
    await expect(
      prisma.$transaction([
        prisma.camera.create({ data: newCamera() }),
        prisma.camera.create({ data: twice }),
        prisma.camera.create({ data: twice }),
      ]),
    ).rejects.toMatchObject({ code: 'P2002' });
    await allPublished();
    expect(published).toHaveLength(1);
  });

  it('an array inside of an interactive transaction shares its outcome', async () => {
    const nested = (fails: boolean) =>
      prisma.$transaction(async (tx) => {
        // The types do not allow arrays, but Prisma accepts them.
        const begin = (tx as unknown as typeof prisma).$transaction.bind(tx);
        await begin([
          tx.camera.create({ data: newCamera() }),
          tx.display.create({ data: { displayId: unique('d') } }),
        ]);
        await allPublished();
        expect(published).toEqual([]);
        if (fails) throw new Error('outer');
      });
    await expect(nested(true)).rejects.toThrow('outer');
    await allPublished();
    expect(published).toEqual([]);
    await nested(false);
    await allPublished();
    expect(published).toEqual(['camera.created,display.created']);
  });

  it('an isolation level reaches the database', async () => {
    // Prisma begins no transaction for one alone.
    const [, [row]] = await prisma.$transaction(
      [
        prisma.camera.count(),
        prisma.$queryRaw<[{ level: string }]>`select current_setting('transaction_isolation') as level`,
      ],
      { isolationLevel: 'Serializable' },
    );
    expect(row.level).toBe('serializable');
  });
});
