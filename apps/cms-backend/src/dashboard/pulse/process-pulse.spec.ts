import type { MasterElection } from '@detector-cluster/master-election';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppConfig } from '../../config/app-config.js';
import { RecentDetections } from '../../detections/recent-detections.js';
import type { SharedRedis } from '../../stores/shared-redis.js';
import { ProcessPulse } from './process-pulse.js';
import type { Pulse } from './pulse.schema.js';

const SECOND = 1_000;

const election = {
  getNodeId: () => 'n',
  getIdentifier: () => 'backend-1',
  getStatus: () => ({ role: 'follower', mayAct: false, term: 1, leaseAge: null }),
} as unknown as MasterElection;

describe('ProcessPulse', () => {
  let recent: RecentDetections;
  let pulse: ProcessPulse;
  let last: Pulse;
  beforeEach(() => {
    vi.useFakeTimers();
    recent = new RecentDetections(10);
    const redis = {
      commands: { publish: () => Promise.resolve(1) },
      cluster: { droppedDetections: 0 },
    } as unknown as SharedRedis;
    const config = {
      cluster: { keyPrefix: 'test:' },
      redis: 'redis://127.0.0.1',
    } as unknown as AppConfig;
    pulse = new ProcessPulse(redis, election, recent, config);
    pulse.onApplicationBootstrap();
    pulse.listen((heard) => (last = heard));
  });
  afterEach(async () => {
    await pulse.beforeApplicationShutdown();
    vi.useRealTimers();
  });

  const detect = (lagMs: number) =>
    recent.add({
      detectionId: String(Date.now()),
      subscriptionIdentifier: 'd;c',
      workerUrl: 'ws://w',
      timestamp: new Date(Date.now() - lagMs).toISOString(),
      receivedAt: new Date().toISOString(),
      redelivered: false,
      data: {},
    });
  const lagAfter = (seconds: number) => {
    vi.advanceTimersByTime(seconds * SECOND);
    return last.process.lagMs;
  };

  it('has no lag before the first detection', () => {
    expect(lagAfter(2)).toBeNull();
  });

  it('keeps the lag between detections that come once in five seconds', () => {
    detect(14);
    expect(lagAfter(1)).toBe(14);
    for (let seconds = 1; seconds <= 10; seconds++) {
      if (seconds % 5 === 0) detect(14);
      expect(lagAfter(1)).toBe(14);
    }
  });

  it('drops the lag some seconds after the last detection', () => {
    detect(14);
    expect(lagAfter(1)).toBe(14);
    expect(lagAfter(15)).toBe(14);
    expect(lagAfter(1)).toBeNull();
    detect(20);
    expect(lagAfter(1)).toBe(20);
  });

  it('shows the same rate between bursts of detections', () => {
    const rates: number[] = [];
    for (let seconds = 0; seconds < 30; seconds++) {
      if (seconds % 2 === 0) for (let n = 0; n < 40; n++) detect(14);
      vi.advanceTimersByTime(SECOND);
      rates.push(last.process.detectionsPerSecond);
    }
    expect(new Set(rates.slice(10))).toEqual(new Set([20]));
    vi.advanceTimersByTime(10 * SECOND);
    expect(last.process.detectionsPerSecond).toBe(0);
  });
});
