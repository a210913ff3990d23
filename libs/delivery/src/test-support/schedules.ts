import fc from 'fast-check';
import { consumerDefaults } from '../receive/consumer-context.js';
import { routerDefaults } from '../send/router-context.js';
import type { WorldOptions } from './delivery-world.js';
import type { Fault, Step } from './fault.js';
import type { DeliverySchedule } from './delivery-schedule.js';

/** Often the master. */
const who = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(3) });
const kind = <Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds);
const lasts = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 600, max: 4_000 }));

/** What an operator does, or an application. */
const deeds: fc.WeightedArbitrary<Fault>[] = [
  { weight: 4, arbitrary: fc.record({ kind: kind('start') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('stop', 'resign'), who }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('burst'), count: fc.integer({ min: 5, max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('partitions'), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('replay') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('slow callbacks'),
      by: fc.integer({ min: 20, max: 500 }),
      lasts: fc.integer({ min: 50, max: 1_000 }),
    }),
  },
];

const troubles: fc.WeightedArbitrary<Fault>[] = [
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('cut'),
      link: fc.oneof(fc.constant('all' as const), fc.nat(4)),
      reset: fc.boolean(),
      who,
      lasts,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('freeze'),
      timersFirst: fc.boolean(),
      who,
      lasts: fc.oneof(fc.integer({ min: 100, max: 1_500 }), fc.integer({ min: 1_000, max: 10_000 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('lossy'),
      loss: fc.constantFrom(0, 0.1, 0.3),
      late: fc.constantFrom(0.1, 0.3),
      who,
      lasts,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('far'), oneWay: fc.constantFrom(40, 200, 450), who, lasts }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind('suspect'), who, lasts }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('kill'), who }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('worker break') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('worker restart') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('withdraw'), who }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('wall clock'), by: fc.integer({ min: -60_000, max: 60_000 }), who }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('elect'), overlap: fc.constantFrom(0, 100, 1_000, 3_000), who }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('server freeze'), lasts }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('server restart'),
      losesData: fc.boolean(),
      lasts: fc.integer({ min: 1, max: 2_500 }),
    }),
  },
];

const failovers: fc.WeightedArbitrary<Fault>[] = [
  { weight: 2, arbitrary: fc.record({ kind: kind('replica behind'), lasts }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: kind('failover'), lasts: fc.integer({ min: 1, max: 2_500 }) }),
  },
];

const foreignEntry: fc.WeightedArbitrary<Fault> = {
  weight: 12,
  arbitrary: fc.record({
    kind: kind('foreign entry'),
    partition: fc.nat(2),
    above: fc.constantFrom(1, 2, 1e15),
  }),
};

/** Often close together: most of what goes wrong does so in the middle of something else. */
const after = fc.oneof(
  fc.integer({ min: 0, max: 120 }),
  fc.integer({ min: 120, max: 700 }),
  fc.integer({ min: 700, max: 1_500 }),
);

const router = fc
  .record({
    overflow: fc.constantFrom('drop-oldest' as const, 'drop-oldest' as const, 'refuse-new' as const),
    maxBacklogEntries: fc.constantFrom(6, 30, 10_000),
    maxBacklogBytes: fc.constantFrom(4_000, 4 * 1024 * 1024),
    maxBufferEntries: fc.constantFrom(10, 50_000),
    callEntries: fc.constantFrom(3, 512),
    acceptance: fc.constantFrom(null, { replicas: 1, timeout: 1_000 }),
  })
  .map((some): WorldOptions['router'] => ({
    ...routerDefaults,
    ...some,
    lookInterval: 500,
    rebalanceInterval: 200,
  }));

/** Longer than any callback takes, so that a process that stops hands over what it has begun. Milliseconds. */
const LONG_DEADLINE = 5_000;

const consumer = (graceful: boolean) =>
  fc
    .record({
      window: fc.constantFrom(5, 1_000),
      windowPerSubscription: fc.constantFrom(1, 3, 64),
      maxUnconfirmed: fc.constantFrom(2, 8, 64),
      ackDelay: fc.constantFrom(2, 20),
      stopDeadline: graceful ? fc.constant(LONG_DEADLINE) : fc.constantFrom(300, LONG_DEADLINE),
    })
    .map((some): WorldOptions['consumer'] => ({
      ...consumerDefaults,
      ...some,
      maxParked: 20,
      slowAfter: 20,
      retryDelays: [30, 120],
      lookInterval: 500,
    }));

const world = (callPerLog: boolean, graceful: boolean): fc.Arbitrary<WorldOptions> =>
  fc.record({
    seed: fc.integer(),
    latency: fc.constantFrom<readonly [number, number]>([0.1, 1], [0.2, 10], [5, 40]),
    callPerLog: fc.constant(callPerLog),
    partitions: fc.integer({ min: 1, max: 3 }),
    subscriptions: fc.integer({ min: 1, max: 4 }),
    load: fc.constantFrom({ gap: 30, longest: 5 }, { gap: 60, longest: 30 }, { gap: 150, longest: 100 }),
    keeps: fc.constantFrom(null, 8, 10_000),
    listeners: fc.boolean(),
    failing: fc.constantFrom(0, 0.1),
    poisonous: fc.constantFrom(0, 0, 0.06),
    router,
    consumer: consumer(graceful),
  });

/** No clock is off by more than 1 %. */
const clocks = fc.array(fc.constantFrom(0.99, 1, 1.01), { minLength: 2, maxLength: 4 });

function schedulesOf(
  callPerLog: boolean,
  faults: readonly fc.WeightedArbitrary<Fault>[],
  graceful: boolean,
): fc.Arbitrary<DeliverySchedule> {
  const step: fc.Arbitrary<Step> = fc.record({ after, fault: fc.oneof(...faults) });
  return fc.record({
    world: world(callPerLog, graceful),
    clocks,
    steps: fc.array(step, { minLength: 2, maxLength: 7 }),
    graceful: fc.constant(graceful),
  });
}

/** Schedules with faults of all kinds. @param callPerLog logs are on different nodes, as on a Redis Cluster */
export const faultySchedules = (callPerLog: boolean): fc.Arbitrary<DeliverySchedule> =>
  schedulesOf(callPerLog, [...failovers, ...troubles, ...deeds], false);

/** {@link faultySchedules} in which another program also writes to partitions. */
export const disturbedSchedules = (callPerLog: boolean): fc.Arbitrary<DeliverySchedule> =>
  schedulesOf(callPerLog, [foreignEntry, ...troubles, ...deeds], false);

/** Schedules in which processes start and stop, and leadership is given up; nothing fails. */
export const gracefulSchedules = (callPerLog: boolean): fc.Arbitrary<DeliverySchedule> =>
  schedulesOf(callPerLog, deeds, true);
