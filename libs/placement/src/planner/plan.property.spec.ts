import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plan } from './plan.js';
import type { PlanWithPlacements, PlanAction, PlanInput, PlanUnit, PlanWorker } from './plan.types.js';
import { random } from './test-support/build.js';
import { crowdedWorldArb } from './test-support/crowded-world.js';
import { worldArb } from './test-support/world.js';

const RUNS = 700;
const KINDS = [[{ site: 'north' }, { site: 'south' }], [{ site: 'south' }]];
const ROUNDING = 1e-6;

const property = (check: (world: PlanInput, result: PlanWithPlacements) => void, arbitrary = anyWorld) =>
  fc.assert(
    fc.property(arbitrary, (world) => check(world, plan(world))),
    { numRuns: RUNS },
  );

/** Any state of the world, or one where every worker is nearly full. */
const anyWorld = fc.oneof(worldArb, crowdedWorldArb);

/** No move is under way, and none is deferred. */
const runToEnd = anyWorld.map(({ rebalance: _later, moves: _underWay, ...world }) => world);

const capacityOf = (worker: PlanWorker) => worker.capacity ?? 100;

/** Where each unit runs: at two workers while it moves. */
function placesOf({ placements, moves = [] }: PlanInput): Map<string, string[]> {
  const places = new Map([...placements].map(([unitId, url]) => [unitId, [url]]));
  for (const { unitId, from, to } of moves) places.set(unitId, [from, to]);
  return places;
}

function used(world: PlanInput, places: Iterable<readonly [string, readonly string[]]>): Map<string, number> {
  const costs = new Map(world.units.map((unit) => [unit.unitId, unit.cost]));
  const sums = new Map<string, number>();
  for (const [unitId, urls] of places)
    for (const url of urls) sums.set(url, (sums.get(url) ?? 0) + (costs.get(unitId) ?? 0));
  return sums;
}

const usedAfter = (world: PlanInput, { placements }: PlanWithPlacements) =>
  used(
    world,
    [...placements].map(([unitId, url]) => [unitId, [url]] as const),
  );

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

/** How many kinds the unit prefers to the worker. */
const rank = ({ preferred = [] }: PlanUnit, worker?: PlanWorker) =>
  [...preferred, {}].findIndex((kind) =>
    Object.entries(kind).every(([name, value]) => worker?.labels?.[name] === value),
  );

/** The actions that begin with a plan. */
const begins = (action: PlanAction) => action.type === 'place' || action.type === 'move';

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

describe('plan: invariants', () => {
  it('no ready worker exceeds its capacity, and no other worker gains load', () => {
    property((world, result) => {
      const before = used(world, placesOf(world));
      const after = usedAfter(world, result);
      for (const worker of world.workers) {
        const had = before.get(worker.url) ?? 0;
        const settles = worker.state === 'Ready' && !world.frozen;
        const limit = settles ? capacityOf(worker) : Math.max(eligible(worker) ? capacityOf(worker) : 0, had);
        expect(after.get(worker.url) ?? 0).toBeLessThanOrEqual(limit + ROUNDING);
      }
    });
  });

  it('no unit moves by choice to a kind of worker that it prefers less', () => {
    const preferredWorld = fc.oneof(worldArb, crowdedWorldArb).map(({ moves: _underWay, ...world }) => ({
      ...world,
      units: world.units.map((unit, i) => (i % 3 === 0 ? { ...unit, preferred: KINDS[i % 2]! } : unit)),
    }));
    property((world, { actions }) => {
      const rankAt = (unitId: string, url: string) =>
        rank(
          world.units.find((unit) => unit.unitId === unitId)!,
          world.workers.find((each) => each.url === url),
        );
      for (const action of actions)
        if (action.type === 'move' && action.reason === 'balance')
          expect(rankAt(action.unitId, action.to)).toBeLessThanOrEqual(rankAt(action.unitId, action.from));
    }, preferredWorld);
  });

  it('no worker exceeds its capacity while the plan is carried out, and every step starts', () => {
    fc.assert(
      fc.property(anyWorld, fc.integer(), (world, seed) => {
        const next = random(seed);
        const { actions } = plan(world);
        const costs = new Map(world.units.map((unit) => [unit.unitId, unit.cost]));
        const capacities = new Map(world.workers.map((worker) => [worker.url, capacityOf(worker)]));
        const now = used(world, placesOf(world));
        const add = (url: string, unitId: string, sign: number) =>
          now.set(url, (now.get(url) ?? 0) + sign * (costs.get(unitId) ?? 0));
        const begin = ({ to, unitId }: PlanAction & { to: string }) => {
          add(to, unitId, 1);
          expect(now.get(to)!).toBeLessThanOrEqual(capacities.get(to)! + ROUNDING);
        };
        const finish = (action: PlanAction) => {
          if (action.type === 'move' && !action.breaksFirst) add(action.from, action.unitId, -1);
        };

        for (const action of actions) {
          if (action.type === 'abort') add(action.to, action.unitId, -1);
          if (action.type === 'evict' || (action.type === 'move' && action.breaksFirst))
            add(action.from, action.unitId, -1);
        }
        const starting = shuffled(
          actions.filter((action) => action.type === 'place' || action.type === 'move'),
          next,
        );
        for (const action of starting) if (!action.waits) begin(action);
        for (const action of starting) if (!action.waits) finish(action);
        const aborted = new Set(actions.flatMap((a) => (a.type === 'abort' ? [a.unitId] : [])));
        for (const { unitId, from } of world.moves ?? []) if (!aborted.has(unitId)) add(from, unitId, -1);
        // A waiting step begins with a later plan; here it is enough that an order exists in which all steps can begin.
        const waiting = starting.filter(({ waits }) => waits);
        const hopeless = new Set<number>();
        const canGoOn = (begun: number): boolean => {
          if (begun === 2 ** waiting.length - 1) return true;
          if (hopeless.has(begun)) return false;
          for (const [i, action] of waiting.entries()) {
            const { to, unitId } = action;
            if ((begun >> i) & 1 || (now.get(to) ?? 0) + costs.get(unitId)! > capacities.get(to)! + ROUNDING)
              continue;
            begin(action);
            finish(action);
            const possible = canGoOn(begun | (1 << i));
            add(to, unitId, -1);
            if (action.type === 'move' && !action.breaksFirst) add(action.from, unitId, 1);
            if (possible) return true;
          }
          hopeless.add(begun);
          return false;
        };
        expect(canGoOn(0)).toBe(true);
      }),
      { numRuns: 2 * RUNS },
    );
  });

  it('each unit has one worker or a reason, and only desired units are placed', () => {
    property((world, { placements, unplaced }) => {
      const ids = [...placements.keys(), ...unplaced.map((u) => u.unitId)].sort();
      expect(ids).toEqual(world.units.map((unit) => unit.unitId).sort());
      const urls = new Set(world.workers.map((worker) => worker.url));
      for (const url of placements.values()) expect(urls.has(url)).toBe(true);
    });
  });

  it('every unit that some worker can take is placed, and the reasons add up', () => {
    property((world, result) => {
      const after = usedAfter(world, result);
      const byId = new Map(world.units.map((unit) => [unit.unitId, unit]));
      for (const { unitId, reasons } of result.unplaced) {
        const unit = byId.get(unitId)!;
        for (const worker of world.workers) {
          const room = capacityOf(worker) - (after.get(worker.url) ?? 0);
          expect(canTake(world, unit, worker) && room >= unit.cost + ROUNDING).toBe(false);
        }
        expect(Object.values(reasons).reduce((a, b) => a + b, 0)).toBe(world.workers.length);
      }
    });
  });

  it('the order of the input does not matter', () => {
    fc.assert(
      fc.property(anyWorld, fc.integer(), (world, seed) => {
        const next = random(seed);
        const other = plan({
          ...world,
          units: shuffled(world.units, next),
          workers: shuffled(world.workers, next),
          placements: new Map(shuffled([...world.placements], next)),
          penalties: shuffled(world.penalties ?? [], next),
          moves: shuffled(world.moves ?? [], next),
        });
        expect(other).toEqual(plan(world));
      }),
      { numRuns: RUNS },
    );
  });

  it('cordoned, drained, suspect and unready workers receive nothing', () => {
    property((world, { actions }) => {
      const byUrl = new Map(world.workers.map((worker) => [worker.url, worker]));
      for (const action of actions) if (begins(action)) expect(eligible(byUrl.get(action.to)!)).toBe(true);
    });
  });

  it('a unit stays on a suspect worker', () => {
    property((world, { placements }) => {
      const suspect = new Set(world.workers.filter((w) => w.state === 'Suspect').map((w) => w.url));
      const moving = new Set(world.moves?.map(({ unitId }) => unitId));
      for (const { unitId } of world.units) {
        const from = world.placements.get(unitId);
        if (from !== undefined && suspect.has(from) && !moving.has(unitId))
          expect(placements.get(unitId)).toBe(from);
      }
    });
  });

  it('no running unit is moved or displaced while the cluster is frozen', () => {
    property((world, { placements }) => {
      const urls = new Set(world.workers.map((worker) => worker.url));
      const moving = new Set(world.moves?.map(({ unitId }) => unitId));
      for (const { unitId } of world.units) {
        const from = world.placements.get(unitId);
        if (world.frozen && from !== undefined && urls.has(from) && !moving.has(unitId))
          expect(placements.get(unitId)).toBe(from);
      }
    });
  });

  it('respects the labels and penalties of every unit that it places', () => {
    property((world, { actions }) => {
      const byUrl = new Map(world.workers.map((worker) => [worker.url, worker]));
      const byId = new Map(world.units.map((unit) => [unit.unitId, unit]));
      for (const action of actions)
        if (begins(action))
          expect(canTake(world, byId.get(action.unitId)!, byUrl.get(action.to)!)).toBe(true);
    });
  });

  it('a unit is never unplaced while units of lower priority hold room that it could use', () => {
    property((world, { placements, unplaced }) => {
      const byId = new Map(world.units.map((unit) => [unit.unitId, unit]));
      const underWay = new Set(world.moves?.map(({ unitId }) => unitId));
      for (const { unitId } of world.frozen ? [] : unplaced) {
        const unit = byId.get(unitId)!;
        for (const worker of world.workers.filter((candidate) => canTake(world, unit, candidate))) {
          const others = [...placements].filter(([, url]) => url === worker.url).map(([id]) => byId.get(id)!);
          const kept = others.filter(
            (other) => underWay.has(other.unitId) || (other.priority ?? 0) >= (unit.priority ?? 0),
          );
          const room = capacityOf(worker) - kept.reduce((sum, other) => sum + other.cost, 0);
          expect(room).toBeLessThan(unit.cost + ROUNDING);
        }
      }
    });
  });

  it('the plan after a plan that was carried out has no actions', () => {
    property((world, { placements, unplaced }) => {
      const second = plan({ ...world, placements });
      expect(second.actions).toEqual([]);
      expect(second.placements).toEqual(placements);
      expect(second.unplaced).toEqual(unplaced);
    }, runToEnd);
  });

  it('the actions are exactly the difference', () => {
    property((world, { actions, placements }) => {
      const places = placesOf(world);
      for (const action of actions) {
        const { unitId } = action;
        if (action.type === 'abort') {
          expect(places.get(unitId)).toEqual([action.from, action.to]);
          places.set(unitId, [action.from]);
          continue;
        }
        expect(places.get(unitId)).toEqual(action.type === 'place' ? undefined : [action.from]);
        if (action.type === 'evict') places.delete(unitId);
        else places.set(unitId, [action.to]);
      }
      const applied = [...places].map(([unitId, urls]) => [unitId, urls.at(-1)!] as const);
      expect(new Map(applied.sort())).toEqual(new Map([...placements].sort()));
    });
  });

  it('a leaving worker causes only its own units to move', () => {
    fc.assert(
      fc.property(runToEnd, fc.nat(), (world, pick) => {
        fc.pre(world.workers.length > 0 && !world.frozen);
        const units = world.units.map((unit) => ({ ...unit, priority: 0 }));
        const calm = { ...world, units, placements: plan({ ...world, units }).placements };
        const leaver = world.workers[pick % world.workers.length]!.url;
        const own = [...calm.placements].filter(([, url]) => url === leaver).map(([id]) => id);
        const { actions } = plan({ ...calm, workers: world.workers.filter(({ url }) => url !== leaver) });
        expect(actions.map((action) => action.unitId).sort()).toEqual(own.sort());
      }),
      { numRuns: RUNS },
    );
  });

  it('no number in the result is NaN, whatever workers report, and the state survives serialization', () => {
    property((_world, { scores, balance, state, reviewAt }) => {
      for (const { load, components, allocated, capacity } of scores)
        for (const value of [load, allocated, capacity, ...Object.values(components)])
          if (value !== null) expect(Number.isFinite(value)).toBe(true);
      for (const value of [balance.deviation, balance.spread, balance.allocationSpread, reviewAt ?? 0])
        expect(Number.isFinite(value)).toBe(true);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    });
  });
});
