import { describe, expect, it } from 'vitest';
import { writtenRows } from './subscription-triggers.js';

const display = { displayId: 'd1', cameraIdentifier: 'c1' };
const camera = { cameraIdentifier: 'c1', rtspUrl: 'rtsp://x' };

describe('writtenRows', () => {
  it.each<[string | undefined, string, unknown, unknown, unknown]>([
    ['Display', 'update', { where: { id: 1 }, data: { cropX1: 5 } }, display, { displays: ['d1'] }],
    ['Display', 'create', { data: display }, display, { displays: ['d1'] }],
    ['Display', 'delete', { where: { id: 1 } }, display, { displays: ['d1'] }],
    ['Display', 'upsert', { create: display, update: { cropX1: 1 } }, display, { displays: ['d1'] }],
    ['Display', 'update', { data: { camera: { connect: { id: 1 } } } }, display, { displays: ['d1'] }],
    ['Display', 'update', { data: { camera: { disconnect: true } } }, display, { displays: ['d1'] }],
    ['Camera', 'update', { data: { rtspUrl: 'rtsp://y' } }, camera, { cameras: ['c1'] }],
    ['Camera', 'update', { data: { displays: { connect: [{ id: 1 }] } } }, camera, { cameras: ['c1'] }],
    ['Playlist', 'update', { data: { modelId: 2 } }, { id: 4, modelId: 2 }, { playlists: [4] }],
    ['Model', 'update', { data: { name: 'm' } }, { id: 'uuid', name: 'm' }, { models: ['uuid'] }],
    ['Model', 'createManyAndReturn', { data: [{}, {}] }, [{ id: 1 }, { id: 2 }], { models: [1, 2] }],
    // Not all that has changed can be read from the result.
    ['Display', 'update', { data: { displayId: 'd1' } }, display, null],
    ['Display', 'upsert', { create: display, update: { displayId: 'd1' } }, display, null],
    ['Display', 'updateManyAndReturn', { data: [{ displayId: 'd1' }] }, [display], null],
    ['Display', 'updateMany', { data: { cropX1: 5 } }, { count: 3 }, null],
    ['Display', 'deleteMany', {}, { count: 3 }, null],
    ['Display', 'update', { data: { camera: { update: { rtspUrl: 'x' } } } }, display, null],
    ['Display', 'update', { data: { camera: { create: {} } } }, display, null],
    ['Camera', 'update', { data: { displays: { disconnect: [{ id: 1 }] } } }, camera, null],
    ['Camera', 'update', { data: { displays: { set: [{ id: 1 }] } } }, camera, null],
    ['Camera', 'update', { data: { displays: { set: [] } } }, camera, null],
    ['Camera', 'create', { data: { displays: { create: {} } } }, camera, null],
    ['Camera', 'delete', { where: { id: 1 } }, camera, null],
    ['Playlist', 'delete', { where: { id: 1 } }, { id: 1 }, null],
    ['Display', 'update', { data: { cropX1: 5 }, select: { id: true } }, { id: 1 }, null],
    ['Playlist', 'update', { data: { modelId: 2 }, select: { model: true } }, { id: 2, name: 'm' }, null],
    ['Display', 'update', { data: { cropX1: 5 } }, null, null],
    ['Display', 'someFutureOperation', {}, display, null],
    ['Site', 'update', { data: {} }, { id: 1 }, null],
    ['constructor', 'update', { data: {} }, { id: 1 }, null],
    [undefined, '$executeRaw', ['update x'], 1, null],
  ])('%s.%s(%j) that returns %j: %j', (model, operation, args, result, expected) => {
    expect(writtenRows(model, operation, args, result)).toEqual(expected);
  });
});
