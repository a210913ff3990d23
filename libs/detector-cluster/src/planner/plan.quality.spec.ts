import { describe, expect, it } from '@jest/globals';
import { plan } from './plan.js';
import type { PlanUnit, PlanWorker } from './plan.types.js';

/** mulberry32: the same cases on each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Least possible fullest worker, as a share of its capacity, by trying every assignment. */
function optimum(costs: readonly number[], capacities: readonly number[]): number {
  const loads = capacities.map(() => 0);
  let best = Number.POSITIVE_INFINITY;
  const assign = (i: number, fullest: number): void => {
    if (fullest >= best) return;
    if (i === costs.length) {
      best = fullest;
      return;
    }
    for (let w = 0; w < loads.length; w++) {
      loads[w]! += costs[i]!;
      assign(i + 1, Math.max(fullest, loads[w]! / capacities[w]!));
      loads[w]! -= costs[i]!;
    }
  };
  assign(0, 0);
  return best;
}

const worker = (url: string, capacity: number): PlanWorker => ({
  url,
  capacity,
  state: 'Ready',
  cpu: null,
  memory: null,
  gpu: null,
  gpuMemory: null,
});

function ratios(cases: number, capacitiesOf: (next: () => number) => number[]): number[] {
  const next = random(20250812);
  return Array.from({ length: cases }, () => {
    const capacities = capacitiesOf(next);
    const costs = Array.from({ length: 9 }, () => 1 + Math.floor(next() * 10));
    const units = costs.map((cost, i): PlanUnit => ({ unitId: `cam-${i}`, subscriptions: [], cost }));
    const workers = capacities.map((capacity, i) => worker(`ws://w${i}`, capacity));
    const { scores, unplaced } = plan({ units, workers, placements: new Map() });
    expect(unplaced).toEqual([]);
    return Math.max(...scores.map((score) => score.allocated / score.capacity)) / optimum(costs, capacities);
  });
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe('plan: quality against the best of all assignments (9 units, 3 workers)', () => {
  it('equal workers', () => {
    const found = ratios(400, () => [100, 100, 100]);
    expect(mean(found)).toBeLessThanOrEqual(1.03);
    // The bound of the longest-processing-time rule is 4/3 - 1/(3·3) = 1.222.
    expect(Math.max(...found)).toBeLessThanOrEqual(1.12);
  });

  it('workers of different size', () => {
    const found = ratios(400, (next) => [100, 100, 100].map((k) => k + Math.floor(next() * 200)));
    expect(mean(found)).toBeLessThanOrEqual(1.03);
    expect(Math.max(...found)).toBeLessThanOrEqual(1.15);
  });
});
