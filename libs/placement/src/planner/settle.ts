import { inChunks } from '../model/in-chunks.js';
import type { WorkerSlot } from './worker-slot.js';
import type { LeaveReason } from './plan.types.js';
import type { Penalties } from './penalties.js';
import { isMoving, type UnitEntry } from './unit-entry.js';

/** After this time a drain no longer waits for room elsewhere. Milliseconds. */
export const DRAIN_DEADLINE = 300_000;

export interface Stay {
  readonly slots: ReadonlyMap<string, WorkerSlot>;
  readonly penalties: Penalties;
  readonly frozen: boolean;
  /** Null: no clock was given, so nothing is deferred. */
  readonly now: number | null;
}

/**
 * Keeps every unit where it runs, or at the destination of its move, unless it cannot stay. Returns the units that each
 * worker keeps, in {@link releaseOrder}. Moves only units for which {@link leaveReason} gives a reason. Yields where it may
 * be interrupted.
 */
export function* settleResidents(
  entries: readonly UnitEntry[],
  stay: Stay,
): Generator<void, Map<WorkerSlot, UnitEntry[]>> {
  const { slots } = stay;
  const residents = new Map<WorkerSlot, UnitEntry[]>();
  const arriving = new Map<WorkerSlot, UnitEntry[]>();
  yield* inChunks(entries, (entry) => {
    if (entry.to !== undefined) settleMove(entry, stay);
    else if (entry.from !== undefined) settleAt(entry, slots.get(entry.from), stay);
    if (entry.slot === null) return;
    const lists = isMoving(entry) ? arriving : residents;
    const others = lists.get(entry.slot);
    if (others) others.push(entry);
    else lists.set(entry.slot, [entry]);
  });
  for (const [slot, units] of arriving) callOff(slot, units, residents, stay);
  for (const [slot, units] of residents) {
    yield;
    units.sort(releaseOrder);
    if (slot.worker.state === 'Ready' && !stay.frozen) shed(slot, units, residents);
  }
  return residents;
}

/** Removes a unit from its worker; it keeps running there until it runs elsewhere, unless it `breaksFirst`. */
export function release(entry: UnitEntry, reason: LeaveReason): void {
  const { slot } = entry;
  if (slot !== null) {
    slot.allocated -= entry.cost;
    entry.slot = null;
  }
  entry.left = reason;
  // It does not run there, or its room is needed now, or the camera allows one stream.
  entry.breaksFirst =
    entry.unit.exclusive === true ||
    reason === 'worker-removed' ||
    reason === 'worker-offline' ||
    reason === 'penalty' ||
    reason === 'preempted';
  if (!entry.breaksFirst && slot !== null) slot.leaving += entry.cost;
}

function settleAt(entry: UnitEntry, slot: WorkerSlot | undefined, stay: Stay): void {
  const reason = leaveReason(entry, slot, stay);
  if (slot !== undefined) {
    entry.slot = slot;
    slot.allocated += entry.cost;
  }
  if (reason !== null) release(entry, reason);
}

function settleMove(entry: UnitEntry, stay: Stay): void {
  const from = stay.slots.get(entry.from!);
  const to = stay.slots.get(entry.to!);
  const stays = leaveReason(entry, from, stay) === null;
  entry.aborted = leaveReason(entry, to, stay) ?? (stays && to?.draining && !stay.frozen ? 'drain' : null);
  if (entry.aborted !== null || to === undefined) return settleAt(entry, from, stay);
  entry.slot = to;
  to.allocated += entry.cost;
  // Whether the unit breaks first is not known here; counting it twice is safe.
  if (from === undefined || from.worker.state === 'Offline') return;
  from.leaving += entry.cost;
  to.arrivals += 1;
}

function leaveReason(
  { unit, unitId, selectorId }: UnitEntry,
  slot: WorkerSlot | undefined,
  { penalties, frozen, now }: Stay,
): LeaveReason | null {
  if (slot === undefined) return 'worker-removed';
  if (frozen) return null;
  if (slot.worker.state === 'Offline') return 'worker-offline';
  // The master cannot send a stop to an unavailable worker either, and the worker may be back in a second.
  if (slot.worker.state !== 'Ready') return null;
  if (selectorId !== 0 && !slot.matches(unit.selector)) return 'selector';
  if (penalties.has(unitId, slot.url)) return 'penalty';
  const { drainSince } = slot.worker;
  if (drainSince !== undefined && (now === null || now - drainSince >= DRAIN_DEADLINE)) return 'drain';
  return null;
}

/** Returns arrivals that a worker cannot hold to the workers that still run them. */
function callOff(
  slot: WorkerSlot,
  arriving: UnitEntry[],
  residents: Map<WorkerSlot, UnitEntry[]>,
  stay: Stay,
): void {
  if (slot.worker.state !== 'Ready' || stay.frozen || slot.excess <= 0) return;
  const leaving = unitsToRelease(arriving.sort(releaseOrder), slot.excess) ?? arriving;
  for (const entry of leaving) {
    slot.allocated -= entry.cost;
    entry.slot = null;
    entry.aborted = 'over-capacity';
    const from = stay.slots.get(entry.from!);
    if (from !== undefined && from.worker.state !== 'Offline') {
      from.leaving -= entry.cost;
      slot.arrivals -= 1;
    }
    settleAt(entry, from, stay);
    if (entry.slot === null) continue;
    const others = residents.get(entry.slot);
    if (others) others.push(entry);
    else residents.set(entry.slot, [entry]);
  }
}

function shed(slot: WorkerSlot, units: UnitEntry[], residents: Map<WorkerSlot, UnitEntry[]>): void {
  if (slot.excess <= 0) return;
  const leaving = new Set(unitsToRelease(units, slot.excess) ?? units);
  for (const entry of leaving) release(entry, 'over-capacity');
  residents.set(
    slot,
    units.filter((entry) => !leaving.has(entry)),
  );
}

/** Units that leave first come first: by ascending priority, then by size, so that the first sufficient unit is the smallest. */
function releaseOrder(a: UnitEntry, b: UnitEntry): number {
  return a.priority - b.priority || a.cost - b.cost || a.index - b.index;
}

/**
 * Selects which of `units`, given in {@link releaseOrder}, leave so that at least `excess` is freed: the lowest priorities
 * first, and within one priority few units with little excess cost. Null when all of them are not enough.
 */
export function unitsToRelease(units: readonly UnitEntry[], excess: number): UnitEntry[] | null {
  if (excess <= 0) return [];
  if (units.reduce((sum, unit) => sum + unit.cost, 0) < excess) return null;

  const chosen: UnitEntry[] = [];
  let left = excess;
  const rest = [...units];
  while (left > 0 && rest.length > 0) {
    const { priority } = rest[0]!;
    const end = rest.findIndex((unit) => unit.priority !== priority);
    const last = (end === -1 ? rest.length : end) - 1;
    const sufficient = rest.findIndex((unit, i) => i <= last && unit.cost >= left);
    const [unit] = rest.splice(sufficient === -1 ? last : sufficient, 1);
    chosen.push(unit!);
    left -= unit!.cost;
  }

  // A later, larger unit may have made an earlier one unnecessary.
  let spare = -left;
  const needless = new Set<UnitEntry>();
  for (const unit of chosen.toSorted(releaseOrder).toReversed())
    if (unit.cost <= spare) {
      needless.add(unit);
      spare -= unit.cost;
    }
  return chosen.filter((unit) => !needless.has(unit));
}
