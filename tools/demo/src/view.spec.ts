import type { ClusterStateAnswer } from '@detector-cluster/local-cluster';
import { describe, expect, it } from 'vitest';
import { render, WIDTH, type Snapshot } from './view.js';

const snapshot: Snapshot = {
  seconds: 12.7,
  backends: [
    { name: 'backend-1', url: 'http://127.0.0.1:4001', processId: 'backend-1:aaaa', isMaster: true },
    { name: 'backend-2', url: 'http://127.0.0.1:4002', processId: 'backend-2:bbbb', isMaster: false },
    { name: 'backend-3', url: 'http://127.0.0.1:4003', processId: null, isMaster: false },
  ],
  state: {
    workers: [
      {
        url: 'ws://127.0.0.1:5001',
        state: 'Ready',
        cpuUsage: 12.4,
        subscriptions: Array.from({ length: 20 }, (_, i) => `display-${i};cam-${i}`),
      } as unknown as ClusterStateAnswer['workers'][number],
    ],
    assignments: { 0: 'backend-2:bbbb', 1: 'backend-2:bbbb', 2: 'backend-3:gone' },
  },
  subscriptions: {
    subscriptions: [
      {
        subscriptionIdentifier: 'd;c',
        assignedWorkerUrl: 'ws://x',
        status: 'active',
        reason: 'streaming',
        since: '',
      },
      {
        subscriptionIdentifier: 'd;e',
        assignedWorkerUrl: '',
        status: 'pending',
        reason: 'no-worker',
        since: '',
      },
    ],
    skipped: [{ displayId: 'display-006', reason: 'no-playlist', detail: '' }],
  },
  detectionsPerSecond: 12.34,
  detections: 100,
  duplicates: 0,
  events: ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7'],
};

describe('render', () => {
  it('shows the master, the assignment, skipped displays and the last events', () => {
    const text = render(snapshot).join('\n');
    expect(text).toContain('master         backend-1  http://127.0.0.1:4001');
    expect(text).toContain('dashboard      backend-1  http://127.0.0.1:4001\n');
    expect(text).toContain('backend-2  http://127.0.0.1:4002  owns 2 partitions\n');
    expect(text).toContain('backend-3  (down)');
    expect(text).toContain('1 of 2 active, 1 pending');
    expect(text).toContain('12.3/s');
    expect(text).toMatch(/ws:\/\/127\.0\.0\.1:5001\s+Ready\s+12%\s+20\n/);
    expect(text).toContain('display-006: no-playlist');
    expect(text).not.toContain('e1');
    expect(text).toContain('e7');
  });

  it('fits 80 columns', () => {
    for (const line of render(snapshot)) expect(line.length).toBeLessThanOrEqual(WIDTH);
  });

  it('shows an election, and a cluster without a known state', () => {
    const text = render({ ...snapshot, backends: [], state: null, subscriptions: null }).join('\n');
    expect(text).toContain('(electing)');
    expect(text).toContain('0 of 0 active');
  });
});
