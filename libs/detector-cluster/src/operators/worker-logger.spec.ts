import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { DetectorClusterEvents } from './cluster-events.js';
import { WorkerLogger } from './worker-logger.js';

it('writes each event as one line, at its level, until it is detached', () => {
  const lines: string[] = [];
  const write = (level: string) => (text: string) => void lines.push(`${level} ${text}`);
  const logger = new WorkerLogger({ log: write('log'), warn: write('warn'), debug: write('debug') });
  const cluster = new EventEmitter<DetectorClusterEvents>();
  const url = 'ws://w:8000';
  const detach = logger.attachToDetectorCluster(cluster);
  cluster.emit('worker:online', { url });
  cluster.emit('worker:disconnected', { url, reason: 'closed\nwith code 1006' });
  cluster.emit('worker:detection_result', { url: 'cluster-managed', cameraId: 'd;c', detections: 0 });
  cluster.emit('worker:assignments_changed', { assignments: { 0: 'b', 1: 'a', 2: 'b' }, timestamp: '' });
  cluster.emit('worker:state_report', {
    url,
    report: { type: 'stateReport', cpuUsage: 12, memoryUsage: null, cameraConnections: [] } as never,
  });
  detach();
  cluster.emit('worker:offline', { url });
  expect(lines).toEqual([
    'log ws://w:8000 is online',
    String.raw`warn ws://w:8000 is disconnected: closed\nwith code 1006`,
    'debug d;c: nothing detected',
    'log partitions are owned by a, b',
    'debug ws://w:8000 reports 0 streams, cpu 12 %, memory ? %',
  ]);
  expect(cluster.listenerCount('worker:offline')).toBe(0);
});
