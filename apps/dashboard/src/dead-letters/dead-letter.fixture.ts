import type { DeadLetter } from '../api/cluster-types.js';

export function deadLetter(letterId: string, more: Partial<DeadLetter> = {}): DeadLetter {
  return {
    letterId,
    detectionId: `d-${letterId}`,
    workerUrl: 'ws://w1:8000',
    subscriptionIdentifier: 'display;camera',
    frame: '{}',
    audience: 'owner',
    error: 'Error: no',
    attempts: 4,
    failedAt: '2026-01-01T00:00:00.000Z',
    processId: 'p1',
    ...more,
  };
}
