import fc from 'fast-check';
import type { CrashDetection } from '../../backends/redis/redis-election-options.js';
import type { Fault, Step } from './fault.js';
import type { ElectionSchedule } from './election-schedule.js';

/** Mostly the leader. */
const who = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(4) });
const lasts = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 600, max: 5_000 }));

const fault = (kinds: readonly CrashDetection[]): fc.Arbitrary<Fault> => {
  const presence = kinds.includes('presence');
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('cut' as const),
        what: presence ? fc.constantFrom('commands', 'presence', 'both') : fc.constant('commands' as const),
        forgotten: fc.boolean(),
        who,
        lasts,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('freeze' as const),
        dropPresence: fc.boolean(),
        timersFirst: fc.boolean(),
        who,
        lasts,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('lossy' as const),
        probability: fc.constantFrom(0.1, 0.4, 0.8),
        who,
        lasts,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('far' as const),
        oneWay: fc.constantFrom(40, 110, 220),
        who,
        lasts: fc.integer({ min: 500, max: 8_000 }),
      }),
    },
    {
      weight: presence ? 2 : 0,
      arbitrary: fc.record({
        kind: fc.constant('flap' as const),
        every: fc.integer({ min: 30, max: 300 }),
        who,
        lasts,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('kill', 'resign', 'restart elector', 'stop', 'drop presence', 'drop commands'),
        who,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('wall clock' as const),
        who,
        by: fc.integer({ min: -60_000, max: 60_000 }),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'start' as const }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('server restart' as const),
        lost: fc.constantFrom(0, 1_000, 1_000, Infinity),
        lasts: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 3_000 })),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('server refuses' as const),
        code: fc.constantFrom('READONLY', 'LOADING', 'OOM', 'NOAUTH'),
        lasts,
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'scripts lost' as const }) },
  );
};

/** Often close together: most of what goes wrong does so in the middle of something else. */
const after = fc.oneof(
  fc.integer({ min: 0, max: 120 }),
  fc.integer({ min: 120, max: 900 }),
  fc.integer({ min: 900, max: 2_000 }),
);

/** No clock is off by more than 1 %. */
const rate = fc.constantFrom(0.99, 1, 1.01);

const timing = fc
  .record({
    lockTtl: fc.constantFrom(1_500, 3_000, 6_000),
    checkInterval: fc.constantFrom(300, 500),
    presence: fc.constantFrom(
      { presenceGrace: 500, presenceValidity: 400 },
      { presenceGrace: 500, presenceValidity: 490 },
      { presenceGrace: 1_200, presenceValidity: 1_100 },
    ),
  })
  .map(({ lockTtl, checkInterval, presence }) => ({
    lockTtl,
    heartbeatInterval: Math.min(1_000, lockTtl / 3),
    checkInterval,
    presenceLook: 250,
    ...presence,
    confirmInterval: 100,
  }));

/**
 * Random schedules of a cluster whose candidates are of the given kinds.
 * @param mixed Each candidate has durations of its own. Default: all have the same.
 */
export function schedules(kinds: readonly CrashDetection[], mixed = false): fc.Arbitrary<ElectionSchedule> {
  const step: fc.Arbitrary<Step> = fc.record({ after, fault: fault(kinds) });
  return fc.record({
    world: fc
      .record({
        seed: fc.integer(),
        latency: fc.constantFrom<readonly [number, number]>([0.1, 1], [0.2, 10], [5, 60]),
        serverRate: rate,
        unseenLeasesOutlastLoss: fc.constant(mixed || kinds.includes('presence')),
      })
      .map((world) => ({ ...world, namesakes: world.seed % 4 === 0 })),
    candidates: timing.chain((common) =>
      fc.array(
        fc.record({
          crashDetection: fc.constantFrom(...kinds),
          timing: mixed ? timing : fc.constant(common),
          rate,
        }),
        { minLength: 2, maxLength: 4 },
      ),
    ),
    steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  });
}
