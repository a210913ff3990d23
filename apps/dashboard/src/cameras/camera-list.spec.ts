import type { Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { detection } from '../detections/detection.fixture.js';
import { camerasOf, filterCameras, lastDetections, worstFirst } from './camera-list.js';

const row = (
  subscriptionIdentifier: string,
  status: SubscriptionRow['status'] = 'active',
  workerUrl = 'ws://w1',
  model: string | null = null,
): SubscriptionRow => ({
  subscriptionIdentifier,
  status,
  workerUrl,
  model,
  version: null,
  reason: status,
  detail: '',
  since: '',
});

const inOrder = (all: Rows<SubscriptionRow>) => worstFirst(camerasOf(all));

const rows = (...all: SubscriptionRow[]) =>
  Object.fromEntries(all.map((one) => [one.subscriptionIdentifier, one]));

describe('the wall of cameras', () => {
  it('shows each camera once, those with a problem first, with its worst status', () => {
    const cameras = inOrder(
      rows(
        row('d1;cam-10'),
        row('d2;cam-2', 'active', 'ws://w2', 'zebra'),
        { ...row('d3;cam-2', 'failed', '', 'ant'), version: 'v1' },
        row('d4;cam-2', 'pending', 'ws://w2', 'zebra'),
      ),
    );
    expect(cameras).toEqual([
      {
        cameraId: 'cam-2',
        status: 'failed',
        reason: 'failed',
        since: '',
        workerUrl: 'ws://w2',
        models: ['ant', 'zebra'],
        versions: ['ant · v1', 'zebra'],
        subscriptions: 3,
      },
      {
        cameraId: 'cam-10',
        status: 'active',
        reason: 'active',
        since: '',
        workerUrl: 'ws://w1',
        models: [],
        versions: [],
        subscriptions: 1,
      },
    ]);
  });

  it('filters by text, status, worker and model', () => {
    const cameras = inOrder(
      rows(
        row('d;Gate-1'),
        row('d;gate-2', 'failed', 'ws://w1', 'ant'),
        row('d;yard', 'active', 'ws://w2', 'bee'),
        row('e;yard', 'active', 'ws://w2', 'ant'),
      ),
    );
    const found = (filter: object) => filterCameras(cameras, filter).map(({ cameraId }) => cameraId);
    expect(found({})).toHaveLength(3);
    expect(found({ text: 'GATE' })).toEqual(['gate-2', 'Gate-1']);
    expect(found({ text: 'gate', status: 'failed' })).toEqual(['gate-2']);
    expect(found({ worker: 'ws://w2' })).toEqual(['yard']);
    expect(found({ model: 'ant' })).toEqual(['gate-2', 'yard']);
    expect(found({ model: 'bee' })).toEqual(['yard']);
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
