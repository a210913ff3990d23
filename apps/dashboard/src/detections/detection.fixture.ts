import type { DetectionItem } from '@detector-cluster/dashboard-protocol';

export function detection(detectionId: string, more: Partial<DetectionItem> = {}): DetectionItem {
  return {
    detectionId,
    subscriptionIdentifier: 'display;camera',
    workerUrl: 'ws://w1:8000',
    processId: 'p1',
    receivedAt: '2026-01-01T00:00:00.000Z',
    redelivered: false,
    detectedAt: '2026-01-01T00:00:00.000Z',
    label: null,
    confidence: null,
    boxes: [],
    pictureId: null,
    summary: '{}',
    ...more,
  };
}
