import { describe, expect, it } from 'vitest';
import { plan } from './plan.js';
import { random, unit, worker } from './test-support/build.js';

/** Least possible fullest worker, as a share of its capacity, by trying every assignment. */
function optimum(costs: readonly number[], capacities: readonly number[]): number {
  const loads = capacities.map(() => 0);
  const ordered = costs.toSorted((a, b) => b - a);
  let best = Number.POSITIVE_INFINITY;
  const assign = (i: number, fullest: number): void => {
    if (fullest >= best) return;
    if (i === ordered.length) {
      best = fullest;
      return;
    }
    for (let w = 0; w < loads.length; w++) {
      // Equal workers give equal results, so only the first is tried.
      if (loads.some((load, v) => v < w && load === loads[w] && capacities[v] === capacities[w])) continue;
      loads[w]! += ordered[i]!;
      assign(i + 1, Math.max(fullest, loads[w]! / capacities[w]!));
      loads[w]! -= ordered[i]!;
    }
  };
  assign(0, 0);
  return best;
}

interface Shape {
  readonly units: number;
  readonly capacities: (next: () => number) => number[];
  readonly cost: (next: () => number) => number;
}

const upTo =
  (most: number) =>
  (next: () => number): number =>
    1 + Math.floor(next() * most);
const equal = (count: number) => () => Array.from({ length: count }, () => 100);
const uneven = (count: number) => (next: () => number) =>
  Array.from({ length: count }, () => 100 + Math.floor(next() * 200));

function ratios(cases: number, { units, capacities, cost }: Shape, seed: number): number[] {
  const next = random(seed);
  return Array.from({ length: cases }, () => {
    const sizes = capacities(next);
    const costs = Array.from({ length: units }, () => cost(next));
    const { scores, unplaced } = plan({
      units: costs.map((some, i) => unit(`cam-${i}`, { cost: some })),
      workers: sizes.map((capacity, i) => worker(`ws://w${i}`, { capacity })),
      placements: new Map(),
    });
    expect(unplaced).toEqual([]);
    return Math.max(...scores.map((score) => score.allocated / score.capacity)) / optimum(costs, sizes);
  });
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe('plan: the fullest worker compared with the optimal assignment', () => {
  it.each<[string, number, Shape]>([
    ['9 units, 3 workers', 5_000, { units: 9, capacities: equal(3), cost: upTo(10) }],
    ['9 units, 3 workers of different size', 3_000, { units: 9, capacities: uneven(3), cost: upTo(10) }],
    ['9 units of any cost, 3 workers', 2_000, { units: 9, capacities: equal(3), cost: (n) => 0.5 + 4 * n() }],
    ['7 units, 3 workers', 3_000, { units: 7, capacities: equal(3), cost: upTo(5) }],
    ['8 units, 4 workers', 3_000, { units: 8, capacities: equal(4), cost: upTo(6) }],
    ['6 units, 2 workers', 2_000, { units: 6, capacities: equal(2), cost: upTo(10) }],
  ])('%s: at most 1.03 times as full on average, and never more than 1.12 times', (_name, cases, shape) => {
    for (const seed of [20_250_812, 7]) {
      const found = ratios(cases / 2, shape, seed);
      expect(mean(found)).toBeLessThanOrEqual(1.03);
      expect(Math.max(...found)).toBeLessThanOrEqual(1.12);
    }
  });

  it('is not worsened by running units, and does not move them', () => {
    const result = plan({
      units: [unit('here', { cost: 5 }), ...[5, 4, 3, 3].map((cost, i) => unit(`cam-${i}`, { cost }))],
      workers: [worker('a'), worker('b')],
      placements: new Map([['here', 'a']]),
    });
    expect(result.placements.get('here')).toBe('a');
    expect(result.scores.map(({ allocated }) => allocated)).toEqual([10, 10]);
  });
});
