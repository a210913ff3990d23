import fc from 'fast-check';
import type { PlanInput, PlanWorker } from '../plan.types.js';
import { plan } from '../plan.js';
import { unit, worker } from './build.js';

const sites = fc.constantFrom('north', 'south');
const NOW = 1_000_000;

const unitArb = fc.record(
  {
    cost: fc.constantFrom(1, 1, 2, 3, 0.5),
    priority: fc.constantFrom(0, 0, 1),
    exclusive: fc.constantFrom(false, false, true),
    selector: fc.record({ site: sites }),
  },
  { requiredKeys: ['cost'] },
);

const workerArb = fc.record(
  {
    capacity: fc.constantFrom(2, 3, 4, 6, 10),
    labels: fc.record({ site: sites }),
    cordoned: fc.constantFrom(false, false, false, true),
    drainSince: fc.constantFrom(undefined, undefined, undefined, NOW - 1_000),
  },
  { requiredKeys: ['capacity', 'labels'] },
);

function assemble(
  units: readonly (readonly [object, number])[],
  workers: readonly Partial<PlanWorker>[],
  movedTo: readonly number[],
): PlanInput {
  const urlOf = (i: number) => `w${i % workers.length}`;
  const at = new Map(units.map(([, where], i) => [`cam-${i}`, where]));
  const placed = [...at].filter(([, where]) => where < 8);
  return {
    units: units.map(([more], i) => unit(`cam-${i}`, more)),
    workers: workers.map((more, i) => worker(`w${i}`, more)),
    placements: new Map(placed.map(([unitId, where]) => [unitId, urlOf(where)])),
    moves: placed
      .slice(0, movedTo.length)
      .map(([unitId, where], i) => ({ unitId, from: urlOf(where), to: urlOf(movedTo[i]!) }))
      .filter(({ from, to }) => from !== to),
  };
}

/** Small workers whose state has not changed for long, nearly full; half of the units cannot stay on their worker. */
export const crowdedWorldArb: fc.Arbitrary<PlanInput> = fc
  .tuple(
    fc.array(fc.tuple(unitArb, fc.nat({ max: 9 })), { minLength: 1, maxLength: 14 }),
    fc.array(workerArb, { minLength: 2, maxLength: 4 }),
    fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([units, workers, movedTo, requested]) => {
    const world = assemble(units, workers, movedTo);
    const { state } = plan({ ...world, rebalance: { now: NOW - 100_000, state: null } });
    const calm = { ...state!, rebalancing: null, cooldowns: [] };
    return { ...world, rebalance: { now: NOW, state: calm, requested } };
  });
