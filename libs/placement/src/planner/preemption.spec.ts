import { expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import { Penalties } from './penalties.js';
import { Placement } from './placement.js';
import { Preemption } from './preemption.js';
import { units, workers } from './test-support/build.js';
import { type UnitEntry, unitEntries } from './unit-entry.js';
import { WorkerSlot } from './worker-slot.js';

const EACH = 50;

/** How often the priorities of units are read to displace one of them. All workers are full of units of the same priority. */
function readsOfPriorities(count: number): number {
  const slots = workers(count, { capacity: EACH }).map((worker) => new WorkerSlot(worker, 0));
  const [wanting, ...running] = runToEnd(unitEntries(units(1 + count * EACH), new Map(), []));
  let reads = 0;
  const residents = new Map<WorkerSlot, UnitEntry[]>();
  for (const [i, slot] of slots.entries()) {
    const own = running.slice(i * EACH, (i + 1) * EACH);
    for (const entry of own) {
      Object.defineProperty(entry, 'priority', { get: () => (reads++, 0) });
      entry.slot = slot;
    }
    slot.allocated = EACH;
    residents.set(slot, own);
  }
  const penalties = runToEnd(Penalties.of([]));
  // A unit with this lowest priority has been displaced before.
  const preemption = new Preemption(new Placement(slots, penalties), residents, penalties, -1);
  expect(preemption.place({ ...wanting!, priority: 1 })).toHaveLength(1);
  return reads;
}

it('compares few of very many workers where the same priority has to leave', () => {
  expect(readsOfPriorities(400)).toBeLessThan(2 * readsOfPriorities(100));
});
