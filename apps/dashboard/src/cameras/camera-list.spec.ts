import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from '@jest/globals';
import { detection } from '../detections/detection.fixture.js';
import { camerasOf, filterCameras, lastDetections } from './camera-list.js';

const row = (
  subscriptionIdentifier: string,
  status: SubscriptionRow['status'] = 'active',
  workerUrl = 'ws://w1',
): SubscriptionRow => ({ subscriptionIdentifier, status, workerUrl, reason: status, since: '' });

const rows = (...all: SubscriptionRow[]) =>
  Object.fromEntries(all.map((one) => [one.subscriptionIdentifier, one]));

describe('the wall of cameras', () => {
  it('shows each camera once, by name, with its worst status', () => {
    const cameras = camerasOf(
      rows(
        row('d1;cam-10'),
        row('d2;cam-2', 'active', 'ws://w2'),
        row('d3;cam-2', 'failed', ''),
        row('d4;cam-2', 'pending'),
      ),
    );
    expect(cameras).toEqual([
      { cameraId: 'cam-2', status: 'failed', reason: 'failed', workerUrl: 'ws://w2', subscriptions: 3 },
      { cameraId: 'cam-10', status: 'active', reason: 'active', workerUrl: 'ws://w1', subscriptions: 1 },
    ]);
  });

  it('filters by text, status and worker', () => {
    const cameras = camerasOf(
      rows(row('d;Gate-1'), row('d;gate-2', 'failed'), row('d;yard', 'active', 'ws://w2')),
    );
    const found = (filter: object) =>
      filterCameras(cameras, { text: '', status: '', worker: '', ...filter }).map(({ cameraId }) => cameraId);
    expect(found({})).toHaveLength(3);
    expect(found({ text: 'GATE' })).toEqual(['Gate-1', 'gate-2']);
    expect(found({ text: 'gate', status: 'failed' })).toEqual(['gate-2']);
    expect(found({ worker: 'ws://w2' })).toEqual(['yard']);
  });

  it('finds the newest detection of each camera', () => {
    const items = [
      detection('1', { subscriptionIdentifier: 'd;c' }),
      detection('2', { subscriptionIdentifier: 'e;c' }),
      detection('3', { subscriptionIdentifier: 'd;x' }),
    ];
    expect(lastDetections(items).get('c')?.detectionId).toBe('2');
    expect(lastDetections(items).get('y')).toBeUndefined();
  });
});
