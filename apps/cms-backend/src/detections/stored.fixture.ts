import type { ReceivedDetection } from './recent-detections.js';

export function received(detectionId: string, more: Partial<ReceivedDetection> = {}): ReceivedDetection {
  return {
    detectionId,
    subscriptionIdentifier: 'display;camera',
    workerUrl: 'ws://w',
    timestamp: '2026-01-01T00:00:00.000Z',
    receivedAt: '2026-01-01T00:00:01.000Z',
    redelivered: false,
    data: { detection: null },
    ...more,
  };
}
