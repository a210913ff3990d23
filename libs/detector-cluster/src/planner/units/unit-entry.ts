import { InvalidInputError } from '../../model/subscription-identifier.js';
import { hashString } from '../load/rendezvous.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import type { PlanMove, PlanUnit } from '../contract/plan-input.js';
import type { LeaveReason } from '../contract/plan-result.js';
import { SelectorIndex } from './selector-index.js';

/** A unit while a plan is made. */
export interface UnitEntry {
  readonly unit: PlanUnit;
  readonly hash: number;
  readonly cost: number;
  readonly priority: number;
  /** Equal for units whose selectors ask for the same. */
  readonly selectorId: number;
  /** Position in an order that depends on nothing but the set of units. */
  readonly index: number;
  /** Where it runs before the plan, whether or not that worker exists. */
  readonly from: string | undefined;
  /** Where a move that is under way takes it. */
  readonly to: string | undefined;
  /** Why that move is over before its time; null when it goes on. */
  aborted: LeaveReason | null;
  /** Where it runs by the plan. */
  slot: WorkerSlot | null;
  /** Why it left `from`. */
  left: LeaveReason | null;
  /** Has to stop at `from` before it starts elsewhere. */
  breaksFirst: boolean;
  /** May not start before others have left its worker. */
  waits: boolean;
}

/** Whether a move that began before this plan goes on. */
export const isMoving = (entry: UnitEntry): boolean => entry.to !== undefined && entry.aborted === null;

/** A hash and a position together must be exact in a double. */
const MAX_UNITS = 2 ** 21;

/** The units in an order that is the same however they came. Throws `InvalidInputError` when an id occurs twice. */
export function unitEntries(
  units: readonly PlanUnit[],
  placements: ReadonlyMap<string, string>,
  moves: readonly PlanMove[],
): UnitEntry[] {
  const facts = factsOf(units, placements);
  const moveOf = moveByUnit(moves);
  const entries: UnitEntry[] = [];
  for (const i of canonicalOrder(units, facts.hashes)) {
    const unit = units[i]!;
    const index = entries.length;
    const hash = facts.hashes[i]!;
    const previous = entries[index - 1];
    if (previous?.hash === hash && previous.unit.unitId === unit.unitId)
      throw new InvalidInputError('units', `${JSON.stringify(unit.unitId)} occurs twice`);
    const move = moveOf.size === 0 ? undefined : moveOf.get(unit.unitId);
    entries.push({
      unit,
      hash,
      cost: facts.costs[i]!,
      priority: facts.priorities[i]!,
      selectorId: facts.selectorIds[i]!,
      index,
      from: move === undefined ? facts.places[i] : move.from,
      to: move?.to,
      aborted: null,
      slot: null,
      left: null,
      breaksFirst: false,
      waits: false,
    });
  }
  return entries;
}

/**
 * What entries say of units, by position. Units are read in the order in which they lie in memory, and in no other: with
 * 100,000 of them most of the time would go into waiting for memory.
 */
function factsOf(units: readonly PlanUnit[], placements: ReadonlyMap<string, string>) {
  const count = units.length;
  const selectors = new SelectorIndex();
  const hashes = new Uint32Array(count);
  const costs = new Float64Array(count);
  const priorities = new Float64Array(count);
  const selectorIds = new Uint32Array(count);
  const places: (string | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    const { unitId, cost, priority, selector } = units[i]!;
    hashes[i] = hashString(unitId);
    costs[i] = Number.isFinite(cost) && cost > 0 ? cost : 1;
    priorities[i] = Number.isFinite(priority) ? priority! : 0;
    selectorIds[i] = selectors.idOf(selector);
    places.push(placements.size === 0 ? undefined : placements.get(unitId));
  }
  return { hashes, costs, priorities, selectorIds, places };
}

function moveByUnit(moves: readonly PlanMove[]): Map<string, PlanMove> {
  const byUnit = new Map<string, PlanMove>();
  for (const move of moves) {
    if (byUnit.has(move.unitId))
      throw new InvalidInputError('moves', `${JSON.stringify(move.unitId)} occurs twice`);
    if (move.from !== move.to) byUnit.set(move.unitId, move);
  }
  return byUnit;
}

/** Positions of the units, by hash and then by id. Hash and position are sorted as one number: strings compare slowly. */
function canonicalOrder(units: readonly PlanUnit[], hashes: Uint32Array): Uint32Array {
  const count = units.length;
  if (count > MAX_UNITS) throw new InvalidInputError('units', `must be at most ${MAX_UNITS}, got ${count}`);
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = hashes[i]! * count + i;
  keys.sort();
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = keys[i]! % count;
  for (let start = 0; start < count;) {
    let end = start + 1;
    while (end < count && hashes[order[end]!] === hashes[order[start]!]) end += 1;
    if (end - start > 1)
      order.subarray(start, end).sort((a, b) => (units[a]!.unitId < units[b]!.unitId ? -1 : 1));
    start = end;
  }
  return order;
}
