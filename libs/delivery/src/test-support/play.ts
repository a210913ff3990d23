import { DeliveryWorld } from './delivery-world.js';
import { Faults } from './faults.js';
import type { EntryFate } from './log-ledger.js';
import type { DeliverySchedule } from './delivery-schedule.js';

/** A server is never longer down than this. */
const MAX_DOWN = 5_000;

/** Within this time after the last fault all that was accepted is handled, beyond the time that callbacks take. */
const RECOVERY = 10_000;

/** How a schedule went. */
export interface Outcome {
  /** Empty when all held. */
  readonly violations: readonly string[];
  readonly log: readonly string[];
  /** Entries that were in the logs, and those that were handled more than once. */
  readonly entries: number;
  readonly duplicates: number;
  /** Between the end of the faults and the end of the backlog. Milliseconds. */
  readonly recovery: number;
}

/** Plays a schedule: the faults, their end, until all is handled. Ends at the first violation. */
export async function play({ clocks, graceful, steps, world: options }: DeliverySchedule): Promise<Outcome> {
  const world = new DeliveryWorld(options);
  const { violations } = world;
  const join = () => void world.add(clocks[world.processes.length % clocks.length]!);
  const faults = new Faults(world, join);
  clocks.forEach(join);
  world.elect(world.processes[0]!, 0);

  for (const { after, fault } of steps) {
    await world.run(after);
    if (violations.length > 0) break;
    faults.apply(fault);
  }
  await world.run(100);
  faults.endAll();
  world.traffic = false;
  await world.run(MAX_DOWN, () => world.server.up);
  world.note('faults end');
  const ended = world.time.now;
  if (!world.running.some(({ global }) => global)) join();
  world.electSoon();
  const unconfirmed = () => world.worker?.unconfirmed ?? 0;
  const done = () => isEmpty(world) && buffered(world) === 0 && unconfirmed() === 0;
  await world.run(3_000, () => world.isLed);
  // Little may be in flight, so that each entry takes several round trips.
  const each = options.load.longest + 6 * options.latency[1] + options.consumer.ackDelay;
  // The worker sends again what is not confirmed.
  const open = left(world).length + (buffered(world) ?? 0) + unconfirmed();
  const bound = RECOVERY + open * each;
  if (!(await world.run(bound, done)))
    world.violated(
      `not handled within ${bound} ms: ${left(world).slice(0, 5).join(', ')}; ${unconfirmed()} not confirmed`,
    );
  const recovery = world.time.now - ended;
  await replaceOwners(world, join, each);
  judgeDuplicates(world, graceful);
  const { duplicates } = world.callbacks;
  for (const process of world.processes) process.kill();
  return { violations, log: world.log, entries: world.logs.count, duplicates, recovery };
}

/** Partitions, and the listener streams of processes that live. */
const servedStreams = ({ keys, partitionLogs, running }: DeliveryWorld): string[] => [
  ...partitionLogs.map(({ stream }) => stream),
  ...running.map(({ id }) => keys.slave(id)),
];

/** Entries that the master has not appended; undefined without a master. */
const buffered = ({ master }: DeliveryWorld): number | undefined => master?.router.buffered;

const unfinishedIn = ({ logs }: DeliveryWorld, stream: string): EntryFate[] =>
  [...logs.presentIn(stream)].filter(({ isBelow }) => !isBelow);

const isEmpty = (world: DeliveryWorld): boolean =>
  servedStreams(world).every((stream) => unfinishedIn(world, stream).length === 0);

/** After a failover the present owners may miss entries. The next owner finds them. */
async function replaceOwners(world: DeliveryWorld, join: () => void, each: number): Promise<void> {
  const streams = world.partitionLogs.map(({ stream }) => stream);
  const present = () => streams.flatMap((stream) => [...world.logs.presentIn(stream)]);
  if (present().length === 0) return;
  world.note('all processes are replaced');
  for (const process of world.running) {
    process.kill();
    world.members.remove(process.id);
  }
  join();
  world.electSoon();
  const bound = 2 * RECOVERY + present().length * each;
  if (await world.run(bound, () => present().length === 0)) return;
  world.violated(
    `the next owner has not handled ${present()
      .map(({ entry, log }) => `${entry.id} of ${log.stream}`)
      .join(', ')}`,
  );
}

const left = (world: DeliveryWorld): string[] =>
  servedStreams(world).flatMap((stream) =>
    unfinishedIn(world, stream).map(({ entry }) => `${entry.id} of ${stream}`),
  );

function judgeDuplicates(world: DeliveryWorld, graceful: boolean): void {
  const { callbacks, logs, options } = world;
  const { duplicates } = callbacks;
  const inFlight = options.consumer.maxUnconfirmed + options.subscriptions;
  const most = graceful ? 0 : logs.takes * inFlight + logs.returned;
  if (duplicates > most) world.violated(`${duplicates} entries were handled again, at most ${most} may be`);
}
