import fc from 'fast-check';
import { ModelWorld } from './model-world.js';
import type { ElectionSchedule } from './election-schedule.js';
import { Faults } from './faults.js';

/** After the faults have ended, an unanswered dial is repeated within this time. */
const RECONNECTED = 1_000;

/** A server is never down for longer than this. */
const MAX_DOWN = 10_000;

/** Messages in flight when the faults ended may still arrive within this time. */
const AFTERMATH = 1_000;

/** Once there is a leader and no fault, nothing may change for this time. */
const QUIET = 1_000;

/** How a schedule went. */
export interface Outcome {
  /** Empty when all invariants held. */
  readonly violations: readonly string[];
  readonly log: readonly string[];
  /** Between the end of the faults and the agreement on a leader. Milliseconds. */
  readonly recovery: number;
  readonly terms: number;
}

/**
 * Plays a schedule: the faults, their end, until all agree on one leader, who must stay it; then all stop. Ends at the first
 * violation.
 */
export async function play({ world: options, candidates, steps }: ElectionSchedule): Promise<Outcome> {
  const world = new ModelWorld(options);
  const { violations } = world;
  let started = 0;
  const join = () => {
    const kind = candidates[started % candidates.length]!;
    world.add({ id: `c${++started}`, ...kind });
  };
  const faults = new Faults(world, join);
  candidates.forEach(join);

  for (const { after, fault } of steps) {
    await world.run(after);
    if (violations.length > 0) break;
    faults.apply(fault);
  }
  faults.endAll();
  if (!world.candidates.some(({ process }) => process.alive)) join();
  await world.run(MAX_DOWN, () => world.server.up);
  world.record('faults end');
  const ended = world.time.now;
  await world.run(AFTERMATH);
  const longest = (of: 'lockTtl' | 'checkInterval') =>
    Math.max(...candidates.map(({ timing }) => timing[of]));
  const [lockTtl, checkInterval] = [longest('lockTtl'), longest('checkInterval')];
  // A store that has restarted waits for what may be valid still, in whole seconds.
  const bound = RECONNECTED + Math.ceil(lockTtl / 1_000) * 1_000 + 1_000 + checkInterval + 500;
  if (!(await world.run(bound, () => world.agreed() !== undefined)))
    world.violated(`no agreement on a leader within ${bound} ms`);
  const recovery = world.time.now - ended;
  await stay(world);
  await stopAll(world);
  world.checkHistory();
  const terms = new Set(world.candidates.flatMap(({ grants }) => grants.map(({ term }) => term))).size;
  return { violations, log: world.log, recovery, terms };
}

async function stay(world: ModelWorld): Promise<void> {
  if (world.violations.length > 0) return;
  const leader = world.agreed()!;
  const term = leader.elector.lease?.term;
  await world.run(QUIET);
  if (leader.elector.lease?.term !== term) world.violated(`${leader.id} did not stay leader without a fault`);
}

async function stopAll(world: ModelWorld): Promise<void> {
  if (world.violations.length > 0) return;
  const running = world.candidates.filter(({ process }) => process.alive);
  let left = running.length;
  for (const candidate of running) candidate.process.input(() => void candidate.stop().then(() => left--));
  const within = Math.max(...running.map(({ stopWithin }) => stopWithin));
  await world.run(within, () => left === 0);
  if (left > 0) world.violated(`${left} electors did not stop within ${within} ms`);
  // Messages in flight arrive.
  await world.run(QUIET);
  for (const candidate of running) for (const what of candidate.leftovers()) world.violated(what);
  if (world.violations.length === 0 && world.server.record)
    world.violated(`the store still has a record of ${world.server.record.owner}`);
}

/** How many schedules all specs of the model play together. */
const SCHEDULES = Number(process.env.MODEL_SCHEDULES ?? 10_000);

/**
 * Plays a share of all schedules. When one shows a violation it is made as short as can be, and the error tells it, the seed
 * (`PROPERTY_SEED=…` plays the same again, `random` looks for others) and what happened.
 *
 * @param share Of the number of schedules; 1 is all.
 */
export async function expectSound(schedules: fc.Arbitrary<ElectionSchedule>, share: number): Promise<void> {
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const { violations, log } = await play(schedule);
    if (violations.length > 0) throw new Error([violations[0], ...log].join('\n'));
  });
  await fc.assert(property, { numRuns: Math.ceil(SCHEDULES * share) });
}
