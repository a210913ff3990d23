import { expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import { Penalties } from './penalties.js';
import { refine } from './refine.js';
import { units, workers } from './test-support/build.js';
import { unitEntries } from './unit-entry.js';
import { WorkerSlot } from './worker-slot.js';

/** How often the costs of this many units are read that one new worker has just got, beside workers that are full. */
function readsOfCosts(count: number): number {
  const slots = workers(100, { capacity: count }).map((worker) => new WorkerSlot(worker, 0));
  for (const slot of slots) slot.allocated = count;
  const placed = runToEnd(unitEntries(units(count), new Map(), []));
  let reads = 0;
  for (const entry of placed) {
    Object.defineProperty(entry, 'cost', { get: () => (reads++, 1) });
    entry.slot = slots[0]!;
  }
  refine(placed, slots, runToEnd(Penalties.of([])));
  return reads;
}

it('examines no more pairs of units where one worker has got very many', () => {
  expect(readsOfCosts(2_000)).toBeLessThan(2 * readsOfCosts(1_000));
});
