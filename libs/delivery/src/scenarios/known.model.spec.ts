import { expect, it } from 'vitest';
import { consumerDefaults } from '../receive/consumer-context.js';
import { routerDefaults } from '../send/router-context.js';
import type { DeliverySchedule } from '../test-support/delivery-schedule.js';
import { play } from '../test-support/play.js';

/** One subscription in one partition, far from the server, in logs that are soon full. */
const world: DeliverySchedule['world'] = {
  seed: 0,
  latency: [5, 40],
  callPerLog: false,
  partitions: 1,
  subscriptions: 1,
  load: { gap: 60, longest: 30 },
  keeps: null,
  listeners: true,
  failing: 0,
  poisonous: 0,
  router: { ...routerDefaults, maxBacklogEntries: 6, lookInterval: 500, rebalanceInterval: 200 },
  consumer: {
    ...consumerDefaults,
    window: 5,
    windowPerSubscription: 1,
    slowAfter: 20,
    maxParked: 20,
    retryDelays: [30, 120],
    ackDelay: 2,
    lookInterval: 500,
    stopDeadline: 300,
  },
};

/** Schedules in which a check of the model once failed although delivery was right. */
it.each<[what: string, schedule: Omit<DeliverySchedule, 'graceful'>]>([
  [
    'finished entries that Redis had lost before it dropped others',
    {
      world: { ...world, seed: -23, router: { ...world.router, maxBufferEntries: 10 } },
      clocks: [0.99, 1],
      steps: [
        { after: 675, fault: { kind: 'server restart', losesData: true, lasts: 1 } },
        { after: 1_205, fault: { kind: 'wall clock', by: 0, who: 0 } },
        { after: 1_110, fault: { kind: 'cut', link: 1, reset: false, who: 1, lasts: 29 } },
        { after: 700, fault: { kind: 'cut', link: 0, reset: false, who: 0, lasts: 600 } },
        { after: 0, fault: { kind: 'elect', overlap: 0, who: 0 } },
        { after: 700, fault: { kind: 'suspect', who: 0, lasts: 1 } },
      ],
    },
  ],
  [
    'a large buffer that is appended in small calls after the faults',
    {
      world: {
        ...world,
        load: { gap: 30, longest: 5 },
        router: { ...world.router, callEntries: 3 },
        consumer: { ...world.consumer, maxUnconfirmed: 2 },
      },
      clocks: [0.99, 0.99],
      steps: [
        { after: 700, fault: { kind: 'start' } },
        { after: 700, fault: { kind: 'cut', link: 'all', reset: true, who: 0, lasts: 2_117 } },
        { after: 1_367, fault: { kind: 'lossy', loss: 0, late: 0.1, who: 1, lasts: 1_240 } },
        { after: 1_453, fault: { kind: 'suspect', who: 0, lasts: 600 } },
        { after: 291, fault: { kind: 'foreign entry', partition: 0, above: 1 } },
      ],
    },
  ],
])('accepts %s', async (_what, schedule) => {
  expect((await play({ ...schedule, graceful: false })).violations).toEqual([]);
});
