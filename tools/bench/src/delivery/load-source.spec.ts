import { afterEach, describe, expect, it, vi } from 'vitest';
import { sharedClock } from '../support/process-figures.js';
import { LoadSource, type Outlet } from './load-source.js';

class RecordingOutlet implements Outlet {
  readonly sent: { n: number; due: number; at: number }[] = [];
  flushed = 0;

  constructor(private readonly onFlush: (sent: number) => void = () => undefined) {}

  send(n: number, due: number): void {
    this.sent.push({ n, due, at: sharedClock() });
  }

  flush(): void {
    this.flushed = this.sent.length;
    this.onFlush(this.sent.length);
  }
}

function block(ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms;);
}

describe('LoadSource', () => {
  afterEach(() => void vi.useRealTimers());

  it('keeps the schedule if the outlet stalls: late detections keep their due time', async () => {
    let stalled = false;
    const outlet = new RecordingOutlet((sent) => {
      if (stalled || sent < 50) return;
      stalled = true;
      block(100);
    });
    const { count, startedAt, lagP99 } = await new LoadSource().steady(outlet, 700, 1_000, 300);
    expect(count).toBe(300);
    expect(outlet.sent.map(({ n }) => n)).toEqual(Array.from({ length: 300 }, (_, i) => 700 + i));
    for (const [i, { due }] of outlet.sent.entries()) expect(due).toBeCloseTo(startedAt + i, 6);
    expect(outlet.flushed).toBe(300);
    expect(Math.max(...outlet.sent.map(({ at, due }) => at - due))).toBeGreaterThan(90);
    expect(lagP99).toBeGreaterThan(90);
  });

  it('has at most one window in flight, and reports how long it waited', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    let now = 1_000;
    const source = new LoadSource(() => now);
    let mostUnderWay = 0;
    let taken = 0;
    let waits = 0;
    const takeWindow = (sent: number) => {
      now += 20;
      if (++waits === 10) vi.advanceTimersByTime(1_000);
      else source.progress((taken = sent));
    };
    const outlet = new RecordingOutlet((sent) => {
      mostUnderWay = Math.max(mostUnderWay, sent - taken);
      // The source uses one turn of the loop after the last detection of the window. In the next one it waits for room.
      if (sent - taken >= 500) setImmediate(() => setImmediate(takeWindow, sent));
    });
    const { count, heldUp, startedAt, endedAt } = await source.flood(outlet, 0, 500, 1_000);
    expect(mostUnderWay).toBe(500);
    expect(count).toBe(5_000);
    expect(outlet.sent).toHaveLength(5_000);
    expect(endedAt - startedAt).toBe(200);
    expect(heldUp).toBe(200);
  });

  it('ends a flood if the outlet accepts nothing', async () => {
    for (let i = 0; i < 100; i++) {
      const { count } = await new LoadSource().flood(new RecordingOutlet(), 0, 100, 5);
      expect(count).toBe(100);
    }
  });
});
