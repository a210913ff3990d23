import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import { type Capacity, capacityOf } from './capacity.js';
import { decideSteps } from './decision.js';
import { plan } from './plan.js';
import type { PlanInput, PlanUnit } from './plan.types.js';
import { unit, units, worker, workers } from './test-support/build.js';
import { crowdedWorldArb } from './test-support/crowded-world.js';
import { worldArb } from './test-support/world.js';

const RUNS = 500;

const capacityIn = (input: PlanInput): Capacity => runToEnd(capacityOf(runToEnd(decideSteps(input))));

const empty = (some: readonly PlanUnit[], count: number, capacity: number): PlanInput => ({
  units: some,
  workers: workers(count, { capacity }),
  placements: new Map(),
});

/** Nothing is under way, and what a plan wants is done. */
const settledWorld = fc.oneof(worldArb, crowdedWorldArb).map(({ units: wanted, workers: all }): PlanInput => {
  const world = { units: wanted, workers: all, placements: new Map<string, string>() };
  return { ...world, placements: plan(world).placements };
});

const unplacedIn = (world: PlanInput) => plan(world).unplaced.map(({ unitId }) => unitId);

describe('capacityOf', () => {
  it('wants as many workers as hold all units, and no more', () => {
    const wanted = (count: number, cost: number, capacity: number) =>
      capacityIn(empty(units(count, { cost }), 2, capacity)).wantedWorkers;
    expect(wanted(0, 1, 10)).toBe(0);
    expect(wanted(10, 1, 10)).toBe(1);
    expect(wanted(11, 1, 10)).toBe(2);
    expect(wanted(6, 4, 10)).toBe(3);
    expect(wanted(30, 0.1, 3)).toBe(1);
    expect(capacityIn(empty(units(150), 0, 1)).wantedWorkers).toBe(2);
  });

  it('wants as many workers of one kind as a plan needs for equal units', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(1, 2, 3, 0.1, 0.7),
        fc.constantFrom(3, 5, 8, 20),
        (count, cost, capacity) => {
          const some = units(count, { cost });
          const { wantedWorkers } = capacityIn(empty(some, 1, capacity));
          expect(unplacedIn(empty(some, wantedWorkers, capacity))).toEqual([]);
          expect(unplacedIn(empty(some, wantedWorkers - 1, capacity))).not.toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('wants more workers than there are while the workers are too full for a unit', () => {
    const placements = new Map([0, 1, 2, 3].map((i) => [`cam-${i}`, `w${i % 2}`]));
    const world = { ...empty([...units(4), unit('large', { cost: 3 })], 2, 4), placements };
    expect(capacityIn(world)).toMatchObject({ openWorkers: 2, unplacedUnits: 1, unplacedLoad: 3 });
    expect(capacityIn(world).wantedWorkers).toBe(3);
    const full = empty(units(7), 2, 3);
    expect(capacityIn(full)).toMatchObject({
      wantedWorkers: 3,
      unplacedUnits: 1,
      headroom: expect.closeTo(0),
    });
  });

  it('wants no worker more for a unit that no worker could take', () => {
    const world = empty([unit('a', { cost: 9 }), unit('b', { selector: { site: 'moon' } })], 1, 3);
    expect(capacityIn(world)).toMatchObject({ wantedWorkers: 1, unplacedUnits: 2 });
  });

  it('measures a packing with very many costs, and takes them for a little more at most', () => {
    const many = Array.from({ length: 3_000 }, (_, i) => unit(`cam-${i}`, { cost: 1 + i / 100_000 }));
    const { wantedWorkers } = capacityIn(empty(many, 1, 10));
    expect(wantedWorkers).toBeGreaterThanOrEqual(Math.ceil(3_000 / 9.9));
    expect(wantedWorkers).toBeLessThanOrEqual(Math.ceil(3_000 / 9));
  });

  it('has room for as many further units of a model as it says', () => {
    fc.assert(
      fc.property(settledWorld, (world) => {
        const before = unplacedIn(world);
        for (const { modelId, headroom } of capacityIn(world).models) {
          const ofModel = world.units.filter(({ models }) => models?.includes(modelId));
          const cost = Math.max(...ofModel.map((one) => one.cost));
          const { selector } = ofModel[0]!;
          const more = units(headroom, { cost, ...(selector && { selector }), priority: -1 });
          const further = more.map((one) => ({ ...one, unitId: `further ${one.unitId}` }));
          expect(unplacedIn({ ...world, units: [...world.units, ...further] })).toEqual(before);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('names an emptiest worker that can be drained', () => {
    let named = 0;
    fc.assert(
      fc.property(settledWorld, (world) => {
        const { emptiestWorker } = capacityIn(world);
        if (emptiestWorker === null) return;
        named += 1;
        const drained = world.workers.map((one) =>
          one.url === emptiestWorker ? { ...one, drainSince: 0 } : one,
        );
        expect(unplacedIn({ ...world, workers: drained })).toEqual(unplacedIn(world));
      }),
      { numRuns: RUNS },
    );
    expect(named).toBeGreaterThan(RUNS / 10);
  });

  it('names no worker whose units have no room elsewhere, and none that is the last', () => {
    const world = empty(units(5), 2, 3);
    const { placements } = plan(world);
    expect(capacityIn({ ...world, placements }).emptiestWorker).toBeNull();
    expect(capacityIn({ ...world, units: units(3), placements: new Map() }).emptiestWorker).not.toBeNull();
    expect(capacityIn(empty([], 1, 3)).emptiestWorker).toBeNull();
    const other = { ...empty(units(1), 0, 3), workers: [worker('a'), worker('b', { cordoned: true })] };
    expect(capacityIn(other).emptiestWorker).toBeNull();
  });
});
