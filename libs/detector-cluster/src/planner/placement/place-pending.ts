import type { WorkerSlot } from '../load/worker-slot.js';
import type { Penalties } from '../units/penalties.js';
import type { UnitEntry } from '../units/unit-entry.js';
import { PendingQueue } from './pending-queue.js';
import { Placement } from './placement.js';
import { Preemption } from './preemption.js';
import { refine } from './refine.js';

export interface PendingInput {
  readonly entries: readonly UnitEntry[];
  readonly slots: readonly WorkerSlot[];
  /** The units that each worker had before the plan and keeps. */
  readonly residents: Map<WorkerSlot, UnitEntry[]>;
  readonly penalties: Penalties;
  /** No running unit is displaced. */
  readonly frozen: boolean;
}

export interface PendingResult {
  /** Units that no worker can take. */
  readonly unplaced: readonly UnitEntry[];
  /** Workers that could take one of them if they had room. */
  readonly contended: ReadonlySet<WorkerSlot>;
}

/** How many units are placed without a pause. */
const AT_ONCE = 1_000;

/** Finds workers for the units that have none. Yields where it may be interrupted. */
export function* placePending({
  entries,
  slots,
  residents,
  penalties,
  frozen,
}: PendingInput): Generator<void, PendingResult> {
  const placement = new Placement(slots, penalties);
  const pending = yield* PendingQueue.of(entries);
  const preemption = frozen ? null : new Preemption(placement, residents, penalties, pending.lowestPriority);
  let displaced = false;
  const placed: UnitEntry[] = [];
  let handled = 0;
  for (const entry of pending) {
    if (++handled % AT_ONCE === 0) yield;
    if (placement.place(entry)) {
      if (entry.slot!.url !== entry.from) placed.push(entry);
      continue;
    }
    const victims = preemption?.place(entry) ?? [];
    displaced ||= victims.length > 0;
    for (const victim of victims) pending.add(victim);
  }

  yield;
  const unplaced = entries.filter((entry) => entry.slot === null);
  // Refining could free room for a unit that was left without a worker, so it runs only when every unit is placed.
  if (unplaced.length === 0 && !displaced) {
    const free = penalties.none ? placed : placed.filter(({ unitId }) => !penalties.any(unitId));
    const targets = slots.filter((slot) => slot.rejects === null);
    refine(free, targets, penalties);
  }
  return { unplaced, contended: contendedFor(unplaced, placement) };
}

function contendedFor(unplaced: readonly UnitEntry[], placement: Placement): Set<WorkerSlot> {
  const contended = new Set<WorkerSlot>();
  const known = new Set<string>();
  for (const entry of unplaced) {
    const kind = `${entry.cost} ${entry.selectorId}`;
    if (known.has(kind)) continue;
    known.add(kind);
    for (const slot of placement.members(entry)) if (slot.couldHold(entry.cost)) contended.add(slot);
  }
  return contended;
}
