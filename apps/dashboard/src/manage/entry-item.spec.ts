import { describe, expect, it } from 'vitest';
import { itemOf, valuesOf } from './entry-item.js';
import { kindOf } from './kinds.js';

const cameras = kindOf('cameras');
const none = { cleared: new Set<string>() };
const camera = {
  etag: 'v1',
  cameraIdentifier: 'cam',
  rtspUrl: 'rtsp://***@192.0.2.1/s',
  snapshotUrl: 'http://***@192.0.2.1/s',
  snapshotInterval: 500,
  cropX1: 0,
  cropY1: 0,
  cropX2: 9,
  cropY2: 9,
};

describe('the form of an entry', () => {
  it('shows what is stored, but no secret', () => {
    expect(valuesOf(cameras, camera)).toEqual({
      cameraIdentifier: 'cam',
      rtspUrl: '',
      snapshotUrl: '',
      snapshotInterval: '500',
      cropX1: '0',
      cropY1: '0',
      cropX2: '9',
      cropY2: '9',
    });
  });

  it('that is unchanged leads to nothing', () => {
    expect(itemOf(cameras, camera, valuesOf(cameras, camera), none)).toBeNull();
    expect(itemOf(cameras, null, valuesOf(cameras, null), none)).toBeNull();
  });

  it('leads to the version and what was changed alone', () => {
    const values = { ...valuesOf(cameras, camera), snapshotInterval: ' 700 ' };
    expect(itemOf(cameras, camera, values, none)).toEqual({
      cameraIdentifier: 'cam',
      etag: 'v1',
      snapshotInterval: 700,
    });
  });

  it('keeps a secret that is left empty, replaces one that is typed, removes one on request', () => {
    const values = { ...valuesOf(cameras, camera), rtspUrl: 'rtsp://u:new@192.0.2.1/s' };
    expect(itemOf(cameras, camera, values, { cleared: new Set(['snapshotUrl']) })).toEqual({
      cameraIdentifier: 'cam',
      etag: 'v1',
      rtspUrl: 'rtsp://u:new@192.0.2.1/s',
      snapshotUrl: null,
    });
  });

  it('changes the crop as a whole', () => {
    const values = { ...valuesOf(cameras, camera), cropX2: '8' };
    expect(itemOf(cameras, camera, values, none)).toMatchObject({
      cropX1: 0,
      cropY1: 0,
      cropX2: 8,
      cropY2: 9,
    });
    const empty = { ...values, cropX1: '', cropY1: '', cropX2: '', cropY2: '' };
    expect(itemOf(cameras, camera, empty, none)).toMatchObject({ cropX1: null, cropY2: null });
  });

  it('passes on what is no number, for the service to say what is wrong', () => {
    const values = { ...valuesOf(cameras, camera), snapshotInterval: 'soon' };
    expect(itemOf(cameras, camera, values, none)).toMatchObject({ snapshotInterval: 'soon' });
  });

  it('names entries with a number by it, so that their name can be changed', () => {
    const playlist = { etag: 'v', id: 7, name: 'old', modelId: null };
    const values = { name: 'new', modelId: '3' };
    expect(itemOf(kindOf('playlists'), playlist, values, none)).toEqual({
      id: 7,
      etag: 'v',
      name: 'new',
      modelId: 3,
    });
  });
});
