import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FaultPlan, faultsSchema } from '../faults/fault-plan.js';
import { ManualClock } from '../fixtures/manual-clock.fixture.js';
import { subscribePayload } from '../fixtures/subscribe-payload.fixture.js';
import { StreamRegistry } from './stream-registry.js';
import { StreamRetention } from './stream-retention.js';

function setUp(onDisconnect: 'linger' | 'drop') {
  const clock = new ManualClock();
  const faults = new FaultPlan(faultsSchema.parse({}));
  const streams = new StreamRegistry(clock, faults, 1, { need: () => undefined }, 'off');
  streams.subscribe(subscribePayload('d1;c1'));
  return { streams, retention: new StreamRetention(streams, { onDisconnect, lingerMs: 15_000 }) };
}

describe('StreamRetention', () => {
  beforeEach(() => {
    Logger.overrideLogger(false);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('keeps streams for the linger time', () => {
    const { streams, retention } = setUp('linger');
    retention.allClosed();
    vi.advanceTimersByTime(14_999);
    expect(streams.streamCount).toBe(1);
    vi.advanceTimersByTime(1);
    expect(streams.streamCount).toBe(0);
  });

  it('restarts after a master has come back in time', () => {
    const { streams, retention } = setUp('linger');
    retention.allClosed();
    vi.advanceTimersByTime(14_000);
    retention.opened();
    vi.advanceTimersByTime(60_000);
    expect(streams.streamCount).toBe(1);
    retention.allClosed();
    vi.advanceTimersByTime(14_999);
    expect(streams.streamCount).toBe(1);
  });

  it('drops at once on request', () => {
    const { streams, retention } = setUp('drop');
    retention.allClosed();
    expect(streams.streamCount).toBe(0);
  });

  it('leaves no timer behind, also when sockets close during the shutdown', () => {
    const { retention } = setUp('linger');
    retention.allClosed();
    retention.onModuleDestroy();
    retention.allClosed();
    expect(vi.getTimerCount()).toBe(0);
  });
});
