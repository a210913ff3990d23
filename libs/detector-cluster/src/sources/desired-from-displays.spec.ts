import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { desiredFromDisplays, type DisplayRow } from './desired-from-displays.js';

const noCrop = { cropX1: null, cropY1: null, cropX2: null, cropY2: null };
const crop = (x1: number, y1: number, x2: number, y2: number) => ({
  cropX1: x1,
  cropY1: y1,
  cropX2: x2,
  cropY2: y2,
});

const camera: NonNullable<DisplayRow['camera']> = {
  cameraIdentifier: 'cam-1',
  rtspUrl: 'rtsp://user:secret@10.0.0.1:554/stream',
  snapshotUrl: null,
  snapshotInterval: null,
  ...noCrop,
};

const row: DisplayRow = {
  displayId: 'display-1',
  createdAt: new Date('2025-08-12T10:00:00Z'),
  ...noCrop,
  camera,
  playlist: { model: { id: 3, name: 'plates' } },
};

const read = (...rows: unknown[]) => desiredFromDisplays(rows as DisplayRow[]);

describe('desiredFromDisplays', () => {
  it('makes one subscription of a complete display', () => {
    expect(read(row)).toEqual({
      subscriptions: [
        {
          subscriptionIdentifier: 'display-1;cam-1',
          rtspUrl: 'rtsp://user:secret@10.0.0.1:554/stream',
          modelId: 3,
          modelName: 'plates',
          createdAt: '2025-08-12T10:00:00.000Z',
        },
      ],
      skipped: [],
    });
  });

  it('copies the snapshot settings', () => {
    const withSnapshot = { ...camera, snapshotUrl: 'http://h/1.jpg', snapshotInterval: 5000 };
    expect(read({ ...row, camera: withSnapshot }).subscriptions[0]).toMatchObject({
      snapshotUrl: 'http://h/1.jpg',
      snapshotInterval: 5000,
    });
  });

  it('uses the complete crop of the display, or else the crop of the camera', () => {
    const cropped = { ...camera, ...crop(1, 2, 30, 40) };
    expect(read({ ...row, camera: cropped }).subscriptions[0]).toMatchObject(crop(1, 2, 30, 40));
    expect(read({ ...row, ...crop(0, 0, 5, 5), camera: cropped }).subscriptions[0]).toMatchObject(
      crop(0, 0, 5, 5),
    );
    const partly = read({ ...row, cropX1: 0, camera: cropped });
    expect(partly.skipped).toEqual([
      {
        displayId: 'display-1',
        cameraId: 'cam-1',
        reason: 'invalid-crop',
        detail: expect.stringContaining('cropY1 of the display'),
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['malformed-row', null, ''],
    ['malformed-row', [row], ''],
    ['malformed-row', 'row', ''],
    ['invalid-display-id', { ...row, displayId: 'a;b' }, 'a;b'],
    ['invalid-display-id', { ...row, displayId: 7 }, ''],
    ['invalid-display-id', { ...row, displayId: 'a\nb' }, 'a\nb'],
    ['no-camera', { ...row, camera: null }, 'display-1'],
    ['no-camera', { ...row, camera: undefined }, 'display-1'],
    ['invalid-camera-id', { ...row, camera: { ...camera, cameraIdentifier: '' } }, 'display-1'],
    ['invalid-rtsp-url', { ...row, camera: { ...camera, rtspUrl: 'ftp://h/1' } }, 'display-1'],
    ['invalid-rtsp-url', { ...row, camera: { ...camera, rtspUrl: 'camera one' } }, 'display-1'],
    ['invalid-rtsp-url', { ...row, camera: { ...camera, rtspUrl: 'rtsp:///stream' } }, 'display-1'],
    ['invalid-rtsp-url', { ...row, camera: { ...camera, rtspUrl: null } }, 'display-1'],
    ['invalid-snapshot', { ...row, camera: { ...camera, snapshotUrl: 'rtsp://h' } }, 'display-1'],
    ['invalid-snapshot', { ...row, camera: { ...camera, snapshotInterval: 0 } }, 'display-1'],
    ['no-playlist', { ...row, playlist: null }, 'display-1'],
    ['playlist-without-model', { ...row, playlist: { model: null } }, 'display-1'],
    ['invalid-model', { ...row, playlist: { model: { id: 1.5, name: 'm' } } }, 'display-1'],
    ['invalid-model', { ...row, playlist: { model: { id: 1, name: ' ' } } }, 'display-1'],
    ['invalid-crop', { ...row, ...crop(5, 0, 5, 9) }, 'display-1'],
    ['invalid-crop', { ...row, ...crop(0, 9, 5, 8) }, 'display-1'],
    ['invalid-crop', { ...row, ...crop(-1, 0, 5, 9) }, 'display-1'],
    ['invalid-crop', { ...row, camera: { ...camera, cropY2: 4 } }, 'display-1'],
  ])('skips with %s and keeps the others', (reason, bad, displayId) => {
    const good = { ...row, displayId: 'good' };
    const { subscriptions, skipped } = read(bad, good);
    const without = ['malformed-row', 'no-camera', 'invalid-camera-id'].includes(reason);
    expect(skipped).toEqual([
      { displayId, ...(!without && { cameraId: 'cam-1' }), reason, detail: expect.stringMatching(/./) },
    ]);
    expect(subscriptions.map((s) => s.subscriptionIdentifier)).toEqual(['good;cam-1']);
  });

  it('keeps the first of two rows with the same identifier', () => {
    const other = { ...row, camera: { ...camera, rtspUrl: 'rtsp://other/1' } };
    const { subscriptions, skipped } = read(row, other);
    expect(subscriptions.map((s) => s.rtspUrl)).toEqual([camera.rtspUrl]);
    expect(skipped).toEqual([expect.objectContaining({ displayId: 'display-1', reason: 'duplicate' })]);
  });

  it('shows no credentials in a detail', () => {
    for (const rtspUrl of ['rtsp://user:sec#ret@h/1', 'ftp://user:secret@h/1', 'rtsp://user:sec/ret@'])
      expect(read({ ...row, camera: { ...camera, rtspUrl } }).skipped[0]?.detail).not.toMatch(
        /sec|ret@|user/,
      );
  });

  it('never throws, and accounts for every row', () => {
    const anyRow = fc.oneof(
      fc.anything(),
      fc.record(
        {
          displayId: fc.oneof(fc.string(), fc.anything()),
          createdAt: fc.anything(),
          cropX1: fc.anything(),
          camera: fc.oneof(fc.anything(), fc.constant(camera), fc.record({ rtspUrl: fc.anything() })),
          playlist: fc.oneof(fc.anything(), fc.constant(row.playlist), fc.record({ model: fc.anything() })),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.array(anyRow), (rows) => {
        const { subscriptions, skipped } = read(...rows);
        expect(subscriptions.length + skipped.length).toBe(rows.length);
        expect(new Set(subscriptions.map((s) => s.subscriptionIdentifier)).size).toBe(subscriptions.length);
      }),
    );
  });
});
