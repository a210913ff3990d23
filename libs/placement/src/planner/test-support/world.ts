import fc from 'fast-check';
import type { PlanInput, PlanUnit, PlanWorker } from '../plan.types.js';

const metric = fc.oneof(
  fc.constant(null),
  fc.double({ min: 0, max: 100, noNaN: true }),
  fc.constantFrom(0, 91.9, 92, 100, 150, -5, Number.NaN),
);
const calmMetric = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(null, 30, 60) }, metric);
const sites = fc.constantFrom('north', 'south');
const NOW = 1_000_000;

const workerArb = (url: string): fc.Arbitrary<PlanWorker> =>
  fc.record(
    {
      url: fc.constant(url),
      state: fc.constantFrom('Ready', 'Ready', 'Ready', 'Suspect', 'Offline', 'Connecting'),
      cordoned: fc.constantFrom(false, false, false, true),
      capacity: fc.constantFrom(3, 5, 8, 20, 100),
      labels: fc.record({ site: sites }),
      cpu: metric,
      memory: calmMetric,
      gpu: metric,
      gpuMemory: calmMetric,
      models: fc.uniqueArray(fc.constantFrom(1, 2, 3)),
    },
    { requiredKeys: ['url', 'state', 'cpu', 'memory', 'gpu', 'gpuMemory'] },
  );

const drainArb = fc.option(fc.constantFrom(NOW - 400_000, NOW - 10_000), { freq: 6, nil: undefined });

const unitArb = (unitId: string): fc.Arbitrary<PlanUnit> =>
  fc.record(
    {
      unitId: fc.constant(unitId),
      subscriptions: fc.constant([`d;${unitId}`]),
      cost: fc.constantFrom(1, 1, 1, 2, 3, 0.1, 0.7, 6),
      selector: fc.oneof(fc.constant({}), fc.record({ site: sites })),
      preferred: fc.array(fc.record({ site: sites }), { maxLength: 2 }),
      priority: fc.constantFrom(0, 0, 0, 1, 2),
      models: fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 2 }),
      exclusive: fc.boolean(),
    },
    { requiredKeys: ['unitId', 'subscriptions', 'cost'] },
  );

/** Any state of the world, reachable or not; half of the states have a clock. */
export const worldArb: fc.Arbitrary<PlanInput> = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 30 }))
  .chain(([workerCount, unitCount]) => {
    const urls = Array.from({ length: workerCount }, (_, i) => `ws://w${i}`);
    const ids = Array.from({ length: unitCount }, (_, i) => `cam-${i}`);
    const anyUrl = fc.constantFrom('ws://gone', ...urls);
    const anyId = fc.constantFrom('stranger', ...ids);
    const anyTime = fc.constantFrom(NOW - 1_000_000, NOW - 20_000, NOW);
    const state = fc.record({
      rebalancing: fc.option(
        fc.record(
          { since: anyTime, left: fc.nat({ max: 3 }), requested: fc.constant(true) },
          { requiredKeys: ['since', 'left'] },
        ),
      ),
      cooldowns: fc.uniqueArray(fc.tuple(anyId, fc.constant(NOW + 1_000)), { selector: ([id]) => id }),
      round: fc.record({ startedAt: anyTime, moves: fc.nat({ max: 10 }) }),
      membership: fc.constant({ digest: 0, since: 0 }),
    });
    return fc.record(
      {
        workers: fc
          .tuple(...urls.map((url) => fc.tuple(workerArb(url), drainArb)))
          .map((pairs) =>
            pairs.map(([worker, drainSince]) =>
              drainSince === undefined ? worker : { ...worker, drainSince },
            ),
          ),
        units: fc.tuple(...ids.map(unitArb)),
        placements: fc.array(fc.tuple(anyId, anyUrl), { maxLength: 40 }).map((pairs) => new Map(pairs)),
        penalties: fc.array(fc.record({ unitId: anyId, workerUrl: anyUrl, soft: fc.boolean() }), {
          maxLength: 6,
        }),
        moves: fc
          .uniqueArray(fc.record({ unitId: anyId, from: anyUrl, to: anyUrl }), {
            maxLength: 4,
            selector: ({ unitId }) => unitId,
          })
          .map((moves) => moves.filter(({ from, to }) => from !== to)),
        frozen: fc.constantFrom(false, false, false, true),
        rebalance: fc.record({
          now: fc.constant(NOW),
          state: fc.option(state),
          requested: fc.boolean(),
          opensAt: fc.constantFrom(null, null, NOW - 1, NOW, NOW + 50_000),
        }),
      },
      { requiredKeys: ['workers', 'units', 'placements', 'penalties'] },
    );
  });
