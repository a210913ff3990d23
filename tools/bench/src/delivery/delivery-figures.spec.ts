import { describe, expect, it } from 'vitest';
import { summarise, type Round } from './delivery-figures.js';
import type { Phase } from './delivery-path.js';

const phase = (more: Partial<Phase> = {}): Phase => ({
  perSecond: 10_000,
  cpuUs: { writer: 10, readers: 8, redis: 3 },
  senderCpuUs: 2,
  heldUp: 0.9,
  lagP99: 1,
  latencies: [],
  lost: 0,
  duplicates: 0,
  waitedMs: 100,
  ...more,
});

const round = (more: Partial<Record<keyof Round, Partial<Phase>>> = {}): Round => ({
  steady: phase({ latencies: [1, 2, 3], ...more.steady }),
  flood: phase({ perSecond: 40_000, ...more.flood }),
  bareSteady: phase(more.bareSteady),
  bare: phase({ perSecond: 80_000, ...more.bare }),
  bareWithSockets: phase({ perSecond: 50_000, ...more.bareWithSockets }),
});

const sender = { perSecond: 200_000, cpuUs: 2 };

describe('summarise', () => {
  it('takes medians over the rounds, and ratios within each', () => {
    const rounds = [
      round(),
      round({ flood: { perSecond: 10_000 }, bareWithSockets: { perSecond: 10_000 } }),
      round(),
    ];
    expect(summarise(rounds, sender)).toMatchObject({
      maxPerSecond: 40_000,
      bareMaxPerSecond: 50_000,
      ratio: 0.8,
      ratioWithoutSockets: 0.5,
      cpuUs: { master: 10, consumers: 8, redis: 3, all: 21 },
      p50Ms: 2,
      p99Ms: 3,
      waitedMs: 300,
    });
  });

  it('adds up lost and repeated detections on every path', () => {
    const rounds = [
      round({ steady: { lost: 2 }, bare: { duplicates: 5 } }),
      round({ bareSteady: { lost: 1 } }),
    ];
    expect(summarise(rounds, sender)).toMatchObject({ lost: 3, duplicates: 5 });
  });

  it('calls the sender the limit if it can send hardly more, or seldom had to wait', () => {
    expect(summarise([round()], sender).senderLimited).toBe(false);
    expect(summarise([round()], { perSecond: 45_000, cpuUs: 20 }).senderLimited).toBe(true);
    expect(summarise([round({ flood: { heldUp: 0.05 } })], sender).senderLimited).toBe(true);
  });

  it('does not know the waiting time of processes if one round does not', () => {
    expect(summarise([round(), round({ steady: { waitedMs: null } })], sender).waitedMs).toBeNull();
  });
});
