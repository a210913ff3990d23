import { describe, expect, it } from 'vitest';
import { countReceipts, summarise, type Round } from './delivery-figures.js';
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
  slow: phase({ latencies: [1, 1, 2], ...more.slow }),
  bareSteady: phase(more.bareSteady),
  bare: phase({ perSecond: 50_000, ...more.bare }),
  batched: phase({ perSecond: 80_000, ...more.batched }),
});

describe('summarise', () => {
  it('takes medians over the rounds, and ratios within each', () => {
    const rounds = [round(), round({ flood: { perSecond: 10_000 }, bare: { perSecond: 10_000 } }), round()];
    expect(summarise(rounds)).toMatchObject({
      maxPerSecond: 40_000,
      bareMaxPerSecond: 50_000,
      ratio: 0.8,
      ratioToBatches: 0.5,
      batchedMaxPerSecond: 80_000,
      cpuUs: { master: 10, consumers: 8, redis: 3, all: 21 },
      p50Ms: 2,
      p99Ms: 3,
      p99MsAt1k: 2,
      waitedMs: 300,
    });
  });

  it('adds up lost and repeated detections on every path', () => {
    const rounds = [
      round({ steady: { lost: 2 }, bare: { duplicates: 5 } }),
      round({ bareSteady: { lost: 1 } }),
    ];
    expect(summarise(rounds)).toMatchObject({ lost: 3, duplicates: 5 });
  });

  it('calls the sender the limit if it seldom had to wait', () => {
    expect(summarise([round()]).senderLimited).toBe(false);
    expect(summarise([round({ flood: { heldUp: 0.05 } })]).senderLimited).toBe(true);
  });

  it('does not know the waiting time of processes if one round does not', () => {
    expect(summarise([round(), round({ steady: { waitedMs: null } })]).waitedMs).toBeNull();
  });
});

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('countReceipts', () => {
  it('finds no loss if the receivers together have all detections', () => {
    const lists = [numbers(1_000, 60_000), numbers(60_000, 101_000)];
    expect(countReceipts(lists, 1_000, 100_000)).toEqual({ lost: 0, duplicates: 0 });
  });

  it('counts detections that no receiver has, also at the end', () => {
    const lists = [[5, 6, 9], [8]];
    expect(countReceipts(lists, 5, 8)).toEqual({ lost: 4, duplicates: 0 });
    expect(countReceipts([[]], 5, 8)).toEqual({ lost: 8, duplicates: 0 });
  });

  it('counts duplicates in one receiver, in two, and from an earlier phase', () => {
    const lists = [
      [100, 100, 101, 40],
      [101, 102],
    ];
    expect(countReceipts(lists, 100, 3)).toEqual({ lost: 0, duplicates: 3 });
  });

  it('counts only expected detections as lost', () => {
    expect(countReceipts([[2]], 0, 6, (n) => n % 2 === 0)).toEqual({ lost: 2, duplicates: 0 });
  });
});
