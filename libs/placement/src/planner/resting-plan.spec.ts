import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plan } from './plan.js';
import type { PlanInput } from './plan.types.js';
import { isStillBalanced, restingPlan } from './resting-plan.js';
import { unit, units, worker, workers } from './test-support/build.js';
import { SimulatedCluster } from './test-support/simulated-cluster.js';

function restOf(input: PlanInput) {
  return restingPlan(input, plan(input));
}

function settled(cluster: SimulatedCluster): SimulatedCluster {
  cluster.settle(1_000);
  return cluster;
}

const metricArb = fc.option(fc.integer({ min: 0, max: 100 }));
const reportArb = fc.record({ cpu: metricArb, memory: metricArb, gpu: metricArb, gpuMemory: metricArb });

describe('a plan at rest', () => {
  it('knows what is on each worker', () => {
    const { input } = settled(new SimulatedCluster([unit('a', { cost: 2 }), unit('b')], workers(2)));
    expect([...restOf(input)!.allocated.values()].sort()).toEqual([1, 2]);
    expect(restOf(input)!.meanCost).toBe(1.5);
  });

  it('starts rebalancing when a worker has become busy', () => {
    const { input } = settled(new SimulatedCluster(units(20), workers(4, { cpu: 20 })));
    const rest = restOf(input)!;
    const busy = (cpu: number) => input.workers.map((one, i) => (i === 0 ? { ...one, cpu } : one));
    expect(isStillBalanced(rest, busy(25))).toBe(true);
    expect(isStillBalanced(rest, busy(100))).toBe(false);
    const { actions, held } = plan({ ...input, workers: busy(100) });
    expect([...actions, ...held]).not.toEqual([]);
  });

  it.each<[string, (input: PlanInput) => PlanInput]>([
    [
      'a unit has no worker',
      (input) => ({ ...input, units: [...input.units, unit('big', { cost: 1_000 })] }),
    ],
    ['a unit is to be placed', (input) => ({ ...input, units: [...input.units, unit('new')] })],
    ['a move is under way', (input) => ({ ...input, moves: [{ unitId: 'cam-0', from: 'w0', to: 'w1' }] })],
    ['the network seems to fail', (input) => ({ ...input, frozen: true })],
    ['there is no clock', ({ rebalance: _clock, ...input }) => input],
    ['moves are held', (input) => ({ ...input, workers: [...input.workers, worker('w9')] })],
  ])('does not rest while %s', (_, change) => {
    const { input } = settled(new SimulatedCluster(units(20), workers(2)));
    expect(restOf(input)).not.toBeNull();
    expect(restOf(change(input))).toBeNull();
  });

  it('is left by no change of the reported load that a plan would act on', () => {
    let rests = 0;
    let acts = 0;
    const costs = fc.array(fc.constantFrom(1, 1, 1, 2, 3, 0.5), { minLength: 1, maxLength: 40 });
    const property = fc.property(
      costs,
      fc.array(fc.tuple(fc.integer({ min: 40, max: 100 }), reportArb, reportArb), {
        minLength: 2,
        maxLength: 6,
      }),
      fc.integer({ min: 0, max: 600_000 }),
      (sizes, hosts, later) => {
        const cluster = settled(
          new SimulatedCluster(
            sizes.map((cost, i) => unit(`cam-${i}`, { cost })),
            hosts.map(([capacity, report], i) => worker(`w${i}`, { ...report, capacity })),
          ),
        );
        const rest = restOf(cluster.input);
        if (rest === null) return;
        rests++;
        cluster.now += later;
        const changed = cluster.input.workers.map((one, i) => ({ ...one, ...hosts[i]![2] }));
        const next = plan({ ...cluster.input, workers: changed });
        const acted = next.actions.length > 0 || next.held.length > 0 || next.unplaced.length > 0;
        if (acted) acts++;
        if (isStillBalanced(rest, changed)) expect(acted).toBe(false);
      },
    );
    fc.assert(property, { numRuns: 500 });
    // Both cases occur, so that the property can fail.
    expect(rests).toBeGreaterThan(100);
    expect(acts).toBeGreaterThan(20);
  });
});
