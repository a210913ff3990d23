import fc from 'fast-check';
import { play } from './play.js';
import type { DeliverySchedule } from './delivery-schedule.js';

/** How many schedules all specs of the model play together. */
const SCHEDULES = Number(process.env.MODEL_SCHEDULES ?? 10_000);

/**
 * Plays a share of all schedules. When one shows a violation it is made as short as can be, and the error tells it, the seed
 * (`PROPERTY_SEED=…` plays the same again, `random` looks for others) and what happened.
 *
 * @param share of the number of schedules; 1 is all
 * @param part tests that differ in it play other schedules
 */
export async function expectSound(
  schedules: fc.Arbitrary<DeliverySchedule>,
  share: number,
  part = 0,
): Promise<void> {
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const { violations, log } = await play(schedule);
    if (violations.length > 0) throw new Error([violations[0], ...log].join('\n'));
  });
  const { seed = Math.random() * 2 ** 31 } = fc.readConfigureGlobal();
  await fc.assert(property, { seed: (seed + part) | 0, numRuns: Math.ceil(SCHEDULES * share) });
}
