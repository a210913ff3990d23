import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  allPublished,
  newCamera,
  openTriggersDatabase,
  type TriggersDatabase,
  unique,
} from '../../../../../test/support/triggers-database.js';
import { subscriptionTriggers } from './subscription-triggers.js';

describe('a tx that leaves its callback', () => {
  let database: TriggersDatabase;
  let published: string[];
  let prisma: ReturnType<typeof extend>;
  type Transaction = Parameters<Parameters<typeof prisma.$transaction>[0]>[0];
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

  it('still belongs to its transaction in another context', async () => {
    let leak!: (tx: Transaction) => void;
    const leaked = new Promise<Transaction>((resolve) => {
      leak = resolve;
    });
    const elsewhere = leaked.then(async (tx) => {
      await tx.camera.create({ data: newCamera() });
      await allPublished();
      return [...published];
    });
    await prisma.$transaction(async (tx) => {
      leak(tx);
      expect(await elsewhere).toEqual([]);
    });
    await allPublished();
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
    await allPublished();
    expect(published).toEqual(['camera.created']);
  });

  it('fails after the commit, the rollback or the timeout, and announces nothing', async () => {
    const ends: ((tx: Transaction) => Promise<void>)[] = [
      async () => undefined,
      async () => {
        throw new Error('rolled back');
      },
      async () => sleep(150),
    ];
    for (const end of ends) {
      let leaked!: Transaction;
      await prisma
        .$transaction(
          async (tx) => {
            leaked = tx;
            await end(tx);
          },
          { timeout: 100 },
        )
        .catch(() => undefined);
      await expect(leaked.camera.create({ data: newCamera() })).rejects.toMatchObject({ code: 'P2028' });
      await expect(leaked.$executeRaw`delete from "Display"`).rejects.toMatchObject({ code: 'P2028' });
    }
    await allPublished();
    expect(published).toEqual([]);
  });

  it('a transaction whose callback never ends announces nothing when Prisma rolls it back', async () => {
    let leaked!: Transaction;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running = prisma.$transaction(
      async (tx) => {
        leaked = tx;
        await tx.camera.create({ data: newCamera() });
        await ended;
      },
      { timeout: 100 },
    );
    // On a busy machine the time may be over before the row is written.
    const isRejected = expect(running).rejects.toMatchObject({ code: 'P2028' });
    const before = await database.camerasSeen();
    await expect(
      (async () => {
        for (;;) {
          await leaked?.camera.count();
          await sleep(20);
        }
      })(),
    ).rejects.toMatchObject({ code: 'P2028' });
    await allPublished();
    expect(published).toEqual([]);
    end();
    await isRejected;
    await allPublished();
    expect(published).toEqual([]);
    expect(await database.camerasSeen()).toBe(before);
  });

  it.each([
    ['commits', false],
    ['is rolled back', true],
  ])('a write that is not awaited shares the outcome of the transaction, which %s', async (_how, fails) => {
    for (let delay = 0; delay < 40; delay++) {
      published = [];
      const before = await database.camerasSeen();
      let write: Promise<unknown> | undefined;
      await prisma
        .$transaction(async (tx) => {
          await tx.camera.count();
          // On some rounds the write begins after the callback has ended and before COMMIT or ROLLBACK is sent.
          write = (async () => {
            for (let turn = 0; turn < delay; turn++) await Promise.resolve();
            await tx.camera.create({ data: newCamera() });
          })().catch(() => undefined);
          if (fails) throw new Error('rolled back');
        })
        .catch(() => undefined);
      await write;
      await allPublished();
      const written = (await database.camerasSeen()) - before;
      expect(published).toEqual(written === 1 ? ['camera.created'] : []);
      if (fails) expect(written).toBe(0);
    }
  });
});
