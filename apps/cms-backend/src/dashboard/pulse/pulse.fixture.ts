import type { Pulse } from './pulse.schema.js';

/** A pulse of a follower without detections; `more` replaces figures of the process. */
export function pulseOf(
  processId: string,
  more: Partial<Pulse['process']> = {},
  rest: Partial<Pulse> = {},
): Pulse {
  return {
    version: 2,
    process: {
      processId,
      identifier: 'cms-backend',
      role: 'follower',
      mayAct: false,
      term: 5,
      leaseAgeMs: null,
      detectionsPerSecond: 0,
      delivered: 0,
      redelivered: 0,
      dropped: 0,
      lagMs: null,
      startedAt: '2026-01-01T00:00:00.000Z',
      ...more,
    },
    detections: [],
    skippedDetections: 0,
    leaving: false,
    ...rest,
  };
}

/** A detection of a pulse. */
export function detectionAt(receivedAt: string, detectionId = receivedAt): Pulse['detections'][number] {
  return {
    detectionId,
    subscriptionIdentifier: 'd;c',
    workerUrl: 'ws://w',
    processId: 'n',
    receivedAt,
    redelivered: false,
    detectedAt: receivedAt,
    label: null,
    confidence: null,
    boxes: [],
    pictureId: null,
    summary: '{}',
  };
}
