import { encodeWorkerMessage, parseWorkerMessage } from '@detector-cluster/worker-protocol';
import { describe, expect, it } from 'vitest';
import { subscribePayload } from '../fixtures/subscribe-payload.fixture.js';
import { type CameraStream } from './stream-registry.js';
import { Pacer } from './pacer.js';
import { buildDetection } from './detection-generator.js';
import { SequenceCounters } from './sequence-counters.js';

const stream: CameraStream = {
  cameraId: 'c1',
  streamId: 'stream-1',
  rtspUrl: 'rtsp://c1',
  since: '2025-01-01T00:00:00.000Z',
  pacer: new Pacer(1, 0),
  subscriptions: new Map(),
};
const subscription = {
  identifier: 'd1;c1',
  displayId: 'd1',
  cameraId: 'c1',
  payload: subscribePayload('d1;c1', { modelId: 5, modelName: 'plates' }),
};

describe('buildDetection', () => {
  it('is a valid message with everything needed to find it again', () => {
    for (const sequence of [1, 2, 19, 20, 9_999, 10_000, 123_456_789]) {
      const message = buildDetection('gpu-1', stream, subscription, sequence, new Date(0));
      expect(parseWorkerMessage(encodeWorkerMessage(message))).toEqual({ ok: true, message });
      expect(message).toMatchObject({
        subscriptionIdentifier: 'd1;c1',
        timestamp: '1970-01-01T00:00:00.000Z',
        data: {
          modelId: 5,
          modelName: 'plates',
          detection: {
            sequence,
            workerName: 'gpu-1',
            streamId: 'stream-1',
            pictureId: `stream-1.${sequence}`,
          },
        },
      });
    }
  });
});

describe('SequenceCounters', () => {
  it('counts each subscription by itself', () => {
    const counters = new SequenceCounters();
    expect([counters.next('a'), counters.next('a'), counters.next('b'), counters.next('a')]).toEqual([
      1, 2, 1, 3,
    ]);
    expect([counters.last('a'), counters.last('b'), counters.last('c')]).toEqual([3, 1, 0]);
  });
});
