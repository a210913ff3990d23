import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { plan } from './plan.js';
import type { Plan, PlanInput, PlanUnit, PlanWorker } from './plan.types.js';
import { worldArb } from './test-support/world.js';

const property = (check: (world: PlanInput, result: Plan) => void, numRuns = 700) =>
  fc.assert(
    fc.property(worldArb, (world) => check(world, plan(world))),
    { numRuns },
  );

const costOf = (world: PlanInput) => new Map(world.units.map((unit) => [unit.unitId, unit.cost]));

function allocations(world: PlanInput, placements: ReadonlyMap<string, string>): Map<string, number> {
  const costs = costOf(world);
  const sums = new Map<string, number>();
  for (const [unitId, url] of placements) sums.set(url, (sums.get(url) ?? 0) + (costs.get(unitId) ?? 0));
  return sums;
}

const eligible = (worker: PlanWorker) =>
  worker.state === 'Ready' &&
  !worker.cordoned &&
  worker.drainSince === undefined &&
  !((worker.memory ?? 0) >= 92) &&
  !((worker.gpuMemory ?? 0) >= 92);

const matches = (unit: PlanUnit, worker: PlanWorker) =>
  Object.entries(unit.selector ?? {}).every(([name, value]) => worker.labels?.[name] === value);

function canTake(world: PlanInput, unit: PlanUnit, worker: PlanWorker): boolean {
  return (
    eligible(worker) &&
    matches(unit, worker) &&
    !world.penalties?.some((p) => !p.soft && p.unitId === unit.unitId && p.workerUrl === worker.url)
  );
}

describe('plan: invariants', () => {
  it('no ready worker is over capacity, and no other gets fuller', () => {
    property((world, { placements }) => {
      const before = allocations(world, world.placements);
      const after = allocations(world, placements);
      for (const worker of world.workers) {
        const sum = after.get(worker.url) ?? 0;
        if (worker.state === 'Ready') expect(sum).toBeLessThanOrEqual((worker.capacity ?? 100) + 1e-6);
        else expect(sum).toBeLessThanOrEqual((before.get(worker.url) ?? 0) + 1e-6);
      }
    });
  });

  it('each unit is on one worker or accounted for, and only wanted ones are placed', () => {
    property((world, { placements, unplaced }) => {
      const ids = [...placements.keys(), ...unplaced.map((u) => u.unitId)].sort();
      expect(ids).toEqual(world.units.map((unit) => unit.unitId).sort());
      const urls = new Set(world.workers.map((worker) => worker.url));
      for (const url of placements.values()) expect(urls.has(url)).toBe(true);
    });
  });

  it('every unit that some worker can take is placed; reasons add up', () => {
    property((world, { placements, unplaced }) => {
      const after = allocations(world, placements);
      const byId = new Map(world.units.map((unit) => [unit.unitId, unit]));
      for (const { unitId, reasons } of unplaced) {
        const unit = byId.get(unitId)!;
        for (const worker of world.workers) {
          const room = (worker.capacity ?? 100) - (after.get(worker.url) ?? 0);
          expect(canTake(world, unit, worker) && room >= unit.cost + 1e-6).toBe(false);
        }
        expect(Object.values(reasons).reduce((a, b) => a + b, 0)).toBe(world.workers.length);
      }
    });
  });

  it('the order of the input does not matter', () => {
    fc.assert(
      fc.property(worldArb, fc.integer(), (world, seed) => {
        const shuffle = <T>(items: readonly T[]): T[] => {
          let state = seed;
          return items
            .map((item) => ({ item, key: (state = Math.imul(state ^ 0x9e3779b9, 0x85ebca6b)) }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
        };
        const shuffled = plan({
          units: shuffle(world.units),
          workers: shuffle(world.workers),
          placements: new Map(shuffle([...world.placements])),
          penalties: shuffle(world.penalties ?? []),
        });
        expect(shuffled).toEqual(plan(world));
      }),
      { numRuns: 700 },
    );
  });

  it('cordoned, suspect and unready workers receive nothing', () => {
    property((world, { actions }) => {
      const byUrl = new Map(world.workers.map((worker) => [worker.url, worker]));
      for (const action of actions)
        if (action.type !== 'evict') expect(eligible(byUrl.get(action.to)!)).toBe(true);
    });
  });

  it('a unit stays on a suspect worker', () => {
    property((world, { placements }) => {
      const suspect = new Set(world.workers.filter((w) => w.state === 'Suspect').map((w) => w.url));
      for (const { unitId } of world.units) {
        const from = world.placements.get(unitId);
        if (from !== undefined && suspect.has(from)) expect(placements.get(unitId)).toBe(from);
      }
    });
  });

  it('respects labels and penalties for everything that it places', () => {
    property((world, { actions }) => {
      const byUrl = new Map(world.workers.map((worker) => [worker.url, worker]));
      const byId = new Map(world.units.map((unit) => [unit.unitId, unit]));
      for (const action of actions)
        if (action.type !== 'evict')
          expect(canTake(world, byId.get(action.unitId)!, byUrl.get(action.to)!)).toBe(true);
    });
  });

  it('higher priority is never unplaced while lower holds room that it could use', () => {
    property((world, { placements, unplaced }) => {
      const byId = new Map(world.units.map((unit) => [unit.unitId, unit]));
      for (const { unitId } of unplaced) {
        const unit = byId.get(unitId)!;
        for (const worker of world.workers.filter((candidate) => canTake(world, unit, candidate))) {
          const others = [...placements].filter(([, url]) => url === worker.url).map(([id]) => byId.get(id)!);
          const kept = others.filter((other) => (other.priority ?? 0) >= (unit.priority ?? 0));
          const room = (worker.capacity ?? 100) - kept.reduce((sum, other) => sum + other.cost, 0);
          expect(room).toBeLessThan(unit.cost + 1e-6);
        }
      }
    });
  });

  it('carried out it is a fixpoint', () => {
    property((world, { placements, unplaced }) => {
      const second = plan({ ...world, placements });
      expect(second.actions).toEqual([]);
      expect(second.placements).toEqual(placements);
      expect(second.unplaced).toEqual(unplaced);
    });
  });

  it('actions are exactly the difference', () => {
    property((world, { actions, placements }) => {
      const applied = new Map(world.placements);
      for (const action of actions) {
        const from = action.type === 'place' ? undefined : action.from;
        expect(applied.get(action.unitId)).toBe(from);
        if (action.type === 'evict') applied.delete(action.unitId);
        else applied.set(action.unitId, action.to);
      }
      expect(new Map([...applied].sort())).toEqual(new Map([...placements].sort()));
    });
  });

  it('a worker that leaves moves its own units and no other', () => {
    fc.assert(
      fc.property(worldArb, fc.nat(), (world, pick) => {
        fc.pre(world.workers.length > 0);
        const units = world.units.map((unit) => ({ ...unit, priority: 0 }));
        const calm = { ...world, units, placements: plan({ ...world, units }).placements };
        const leaver = world.workers[pick % world.workers.length]!.url;
        const own = [...calm.placements].filter(([, url]) => url === leaver).map(([id]) => id);
        const { actions } = plan({ ...calm, workers: world.workers.filter(({ url }) => url !== leaver) });
        expect(actions.map((action) => action.unitId).sort()).toEqual(own.sort());
      }),
      { numRuns: 700 },
    );
  });

  it('no number in the result is NaN, whatever is reported', () => {
    property((_world, { scores }) => {
      for (const { load, components, allocated, capacity } of scores)
        for (const value of [load, allocated, capacity, ...Object.values(components)])
          if (value !== null) expect(Number.isFinite(value)).toBe(true);
    });
  });
});
