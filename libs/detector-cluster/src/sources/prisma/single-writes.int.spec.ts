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

describe.each(TRIGGER_MODES)('single writes, %s', (_name, transactionIds) => {
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

  it('publish once each; reads and failures never publish', async () => {
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
    await allPublished();
    expect(published).toEqual(['camera.created', 'camera.updated', 'camera.deleted']);
  });

  it('publish only relevant models and fields', async () => {
    const display = await prisma.display.create({ data: { displayId: unique('d') } });
    await allPublished();
    published.length = 0;
    await prisma.display.update({ where: { id: display.id }, data: { name: 'new name' } });
    await prisma.display.updateMany({ data: { name: 'other', cropX1: undefined } });
    await allPublished();
    expect(published).toEqual([]);
    await prisma.display.update({ where: { id: display.id }, data: { cameraIdentifier: { set: null } } });
    await allPublished();
    expect(published).toEqual(['display.updated']);
  });

  it('include nested create, createMany, createManyAndReturn, upsert, updateMany, deleteMany', async () => {
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
    await allPublished();
    expect(published).toEqual([
      'camera.created',
      'camera.created',
      'camera.created',
      'model.saved',
      'camera.updated',
      'display.deleted',
    ]);
  });

  it('include writes in raw SQL, but not reads', async () => {
    await prisma.$executeRaw`update "Camera" set "rtspUrl" = ${'rtsp://h/9'}`;
    await prisma.$executeRawUnsafe('delete from "Camera" where id = $1', -1);
    await prisma.$queryRaw`insert into "Model" ("name", "fileKey", "updatedAt") values (${unique('m')}, 'k', now()) returning id`;
    await prisma.$queryRaw`select count(*) from "Camera" where "rtspUrl" <> 'update'`;
    await prisma.$queryRawUnsafe('show server_version');
    await allPublished();
    expect(published).toEqual(['database.changed', 'database.changed', 'database.changed']);
  });

  it('include connect, disconnect and nested writes through a model that is not watched', async () => {
    const camera = await database.plain.camera.create({ data: newCamera() });
    const playlist = await database.plain.playlist.create({ data: { name: unique('p') } });
    await prisma.playlist.update({ where: { id: playlist.id }, data: { name: unique('p') } });
    await allPublished();
    expect(published).toEqual([]);
    await prisma.playlist.update({
      where: { id: playlist.id },
      data: { displays: { create: { displayId: unique('d'), cameraIdentifier: camera.cameraIdentifier } } },
    });
    await prisma.camera.update({ where: { id: camera.id }, data: { displays: { set: [] } } });
    await allPublished();
    expect(published).toEqual(['playlist.updated', 'camera.updated']);
  });

  it('include a write that changed no row, because its rows are not known', async () => {
    await prisma.camera.updateMany({ where: { id: -1 }, data: { rtspUrl: 'rtsp://h/0' } });
    await prisma.camera.deleteMany({ where: { id: -1 } });
    await allPublished();
    expect(published).toEqual(['camera.updated', 'camera.deleted']);
  });

  it('include each configured model and field, and no other', async () => {
    const only = database.plain.$extends(
      triggersExtension(
        { publish: ({ causes }) => published.push(...causes), models: { Model: ['fileKey'] } },
        { transactionIds },
      ),
    );
    await only.camera.create({ data: newCamera() });
    const model = await only.model.create({ data: { name: unique('m'), fileKey: 'k' } });
    await only.model.update({ where: { id: model.id }, data: { name: unique('m') } });
    await only.model.update({ where: { id: model.id }, data: { fileKey: 'k2' } });
    await allPublished();
    expect(published).toEqual(['model.created', 'model.updated']);
  });
});
