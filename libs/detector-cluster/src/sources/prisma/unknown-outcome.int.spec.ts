import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAnswerCutter, type AnswerCutter } from '../../../../../test/support/answer-cutter.js';
import {
  allPublished,
  newCamera,
  openTriggersDatabase,
  prismaClient,
  type TriggersDatabase,
} from '../../../../../test/support/triggers-database.js';
import type { PrismaClient } from '../../../../../apps/cms-backend/src/generated/prisma/client.js';
import { subscriptionTriggers } from './subscription-triggers.js';

describe('a connection that is lost before the answer came', () => {
  let database: TriggersDatabase;
  let cutter: AnswerCutter;
  let published: string[];
  let through: PrismaClient;
  const extend = (client: PrismaClient) =>
    client.$extends(
      subscriptionTriggers({ trigger: { triggerSubscriptionUpdate: (cause) => published.push(cause) } }),
    );
  let prisma: ReturnType<typeof extend>;

  beforeAll(async () => {
    database = await openTriggersDatabase();
    cutter = await startAnswerCutter(database.url);
    through = prismaClient(cutter.url);
    prisma = extend(through);
  });
  afterAll(async () => {
    await through.$disconnect();
    await cutter.close();
    await database.close();
  });
  beforeEach(async () => {
    published = [];
    await prisma.camera.count();
  });

  it.each([
    ['COMMIT', () => prisma.$transaction(async (tx) => tx.camera.create({ data: newCamera() }))],
    [
      'COMMIT',
      () => prisma.$transaction([prisma.camera.create({ data: newCamera() }), prisma.camera.count()]),
    ],
    ['INSERT', () => prisma.camera.create({ data: newCamera() })],
    [
      'insert into',
      () =>
        prisma.$executeRaw`insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") values (${newCamera().cameraIdentifier}, 'rtsp://h/1', now())`,
    ],
  ])('to %s: what was committed is announced although the write failed (%#)', async (statement, write) => {
    const before = await database.camerasSeen();
    cutter.cutAnswerTo(statement);
    await expect(write()).rejects.toThrow();
    await allPublished();
    expect(await database.camerasSeen()).toBe(before + 1);
    expect(published).toHaveLength(1);
  });

  it('to a statement inside of a transaction: nothing was committed, nothing is announced', async () => {
    const before = await database.camerasSeen();
    await expect(
      prisma.$transaction(async (tx) => {
        await tx.camera.create({ data: newCamera() });
        cutter.cutAnswerTo('DELETE');
        await tx.display.deleteMany();
      }),
    ).rejects.toThrow();
    await allPublished();
    expect(await database.camerasSeen()).toBe(before);
    expect(published).toEqual([]);
  });

  it('to COMMIT, because the server ended the session: announced, because the outcome is unknown', async () => {
    await expect(
      prisma.$transaction(async (tx) => {
        await tx.camera.create({ data: newCamera() });
        const [{ pid }] = await tx.$queryRaw<[{ pid: number }]>`select pg_backend_pid() as pid`;
        await database.observer.query('select pg_terminate_backend($1)', [pid]);
        await database.observer.query('select pg_sleep(0.1)');
      }),
    ).rejects.toThrow();
    await allPublished();
    expect(published).toEqual(['camera.created']);
  });
});
