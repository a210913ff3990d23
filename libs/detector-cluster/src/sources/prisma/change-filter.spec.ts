import { describe, expect, it } from 'vitest';
import { causeOf } from './change-filter.js';

describe('causeOf', () => {
  it.each<[string | undefined, string, unknown, string | null]>([
    ['Camera', 'findMany', { where: {} }, null],
    ['Camera', 'count', {}, null],
    ['Camera', 'aggregate', {}, null],
    ['Camera', 'someFutureOperation', {}, 'camera.changed'],
    ['Camera', 'create', { data: {} }, 'camera.created'],
    ['Camera', 'deleteMany', undefined, 'camera.deleted'],
    ['Model', 'upsert', { create: { fileKey: 'k' }, update: {} }, 'model.saved'],
    ['Display', 'update', { data: { name: 'x' } }, null],
    ['Display', 'update', { data: { name: 'x', cropX1: null } }, 'display.updated'],
    ['Display', 'update', { data: { cropX1: undefined } }, null],
    ['Display', 'update', { data: { camera: { disconnect: true } } }, 'display.updated'],
    ['Model', 'updateMany', { data: { fileKey: 'k' } }, 'model.updated'],
    ['Model', 'updateManyAndReturn', { data: [{ fileKey: 'k' }, { name: 'n' }] }, 'model.updated'],
    ['Playlist', 'update', { data: { modelId: { set: 5 } } }, 'playlist.updated'],
    ['Site', 'update', { data: { name: 'x' } }, null],
    ['Site', 'update', { data: { name: { set: 'x' } } }, null],
    ['Site', 'update', { data: { tags: { set: ['a'] } } }, null],
    ['Site', 'update', { data: { openedAt: new Date() } }, null],
    ['Site', 'update', { data: { displays: { create: {} } } }, 'site.updated'],
    ['Site', 'update', { data: { displays: { set: [{ id: 1 }] } } }, 'site.updated'],
    ['Site', 'update', { data: { displays: { set: [] } } }, 'site.updated'],
    ['Site', 'create', { data: { name: 'x' } }, null],
    ['Site', 'createMany', { data: [{}, { displays: { connect: { id: 1 } } }] }, 'site.created'],
    ['Site', 'upsert', { create: {}, update: { displays: { deleteMany: {} } } }, 'site.saved'],
    ['Site', 'delete', { where: { id: 1 } }, null],
    ['constructor', 'create', { data: {} }, null],
    ['Camera', 'constructor', {}, 'camera.changed'],
    ['Site', 'someFutureOperation', {}, null],
    [undefined, '$executeRaw', ['delete from x'], 'database.changed'],
    [undefined, '$queryRawTyped', { sql: 'delete from x', values: [] }, 'database.changed'],
    [undefined, '$someFutureRaw', { sql: 'select 1', values: [] }, null],
    [undefined, '$someFutureRaw', {}, 'database.changed'],
    ['Camera', 'update', undefined, null],
    ['Camera', 'update', 'nonsense', null],
  ])('%s.%s(%j) → %s', (model, operation, args, expected) => {
    expect(causeOf(model, operation, args)).toBe(expected);
  });

  it('takes other models', () => {
    const models = { Monitor: 'all', Lens: ['zoom'] } as const;
    const update = (model: string, data: object) => causeOf(model, 'update', { data }, models);
    expect(update('Monitor', { anything: 1 })).toBe('monitor.updated');
    expect(update('Lens', { zoom: 1 })).toBe('lens.updated');
    expect(update('Lens', { colour: 1 })).toBeNull();
    expect(update('Camera', { rtspUrl: 'x' })).toBeNull();
  });
});
