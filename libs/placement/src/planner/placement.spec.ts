import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import { Penalties } from './penalties.js';
import { leastLoaded, Placement, preference } from './placement.js';
import type { PlanPenalty, PlanUnit, PlanWorker } from './plan.types.js';
import { unitEntries } from './unit-entry.js';
import { WorkerSlot } from './worker-slot.js';

const zones = fc.constantFrom('a', 'b');

const workersArb = fc.array(
  fc.record({ capacity: fc.integer({ min: 1, max: 6 }), models: fc.uniqueArray(fc.nat(1)), zone: zones }),
  { minLength: 1, maxLength: 12 },
);

const unitsArb = fc.array(
  fc.record({
    cost: fc.integer({ min: 1, max: 3 }),
    model: fc.nat(2),
    zone: fc.option(zones),
    failedOn: fc.array(fc.record({ worker: fc.nat(11), soft: fc.boolean() }), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 40 },
);

function workerOf(
  { capacity, models, zone }: { capacity: number; models: number[]; zone: string },
  i: number,
) {
  const unreported = { cpu: null, memory: null, gpu: null, gpuMemory: null };
  const worker: PlanWorker = {
    url: `ws://w${i}`,
    state: 'Ready',
    capacity,
    models,
    labels: { zone },
    ...unreported,
  };
  return new WorkerSlot(worker, 0);
}

describe('the placement of a unit that some workers have failed', () => {
  it('takes the worker that a look at all workers would take, or one that is as good', () => {
    fc.assert(
      fc.property(workersArb, unitsArb, (workers, given) => {
        const slots = workers.map(workerOf);
        const units = given.map(({ cost, model, zone }, i): PlanUnit => ({
          unitId: `u${i}`,
          subscriptions: [],
          cost,
          models: [model],
          ...(zone !== null && { selector: { zone } }),
        }));
        const failed = given.flatMap(({ failedOn }, i) =>
          failedOn.map(({ worker, soft }): PlanPenalty => ({
            unitId: `u${i}`,
            workerUrl: `ws://w${worker}`,
            soft,
          })),
        );
        const penalties = runToEnd(Penalties.of(failed));
        const placement = new Placement(slots, penalties);
        for (const entry of runToEnd(unitEntries(units, new Map(), []))) {
          const { cost, unit } = entry;
          const able = slots.filter((slot) => slot.room >= cost && slot.matches(unit.selector));
          const expected = leastLoaded(entry, able, penalties);
          const valueOf = (slot: WorkerSlot) => slot.loadWith(cost) - preference(unit, slot, penalties);
          const value = expected === null ? null : valueOf(expected);
          const loads = new Map(slots.map((slot) => [slot, valueOf(slot)]));
          expect(placement.place(entry)).toBe(expected !== null);
          if (entry.slot !== null) expect(loads.get(entry.slot)).toBe(value);
        }
      }),
      { numRuns: 500 },
    );
  });
});
