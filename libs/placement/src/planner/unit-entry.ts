import { InvalidInputError } from '../model/subscription-identifier.js';
import { hashString } from './rendezvous.js';
import type { WorkerSlot } from './worker-slot.js';
import type { PlanMove, PlanUnit, LeaveReason } from './plan.types.js';

/** A unit while a plan is made. */
export interface UnitEntry {
  readonly unit: PlanUnit;
  /** Copied from the unit, because units lie scattered in memory and entries do not. */
  readonly unitId: string;
  /** Position of the unit in the input. */
  readonly position: number;
  readonly hash: number;
  readonly cost: number;
  readonly priority: number;
  /** Equal for units with equal selectors. */
  readonly selectorId: number;
  /** Position in an order that depends on nothing but the set of units. */
  readonly index: number;
  /** Where it runs before the plan, whether or not that worker exists. */
  readonly from: string | undefined;
  /** Where a move that is under way takes it. */
  readonly to: string | undefined;
  /** Why that move was aborted; null while it continues. */
  aborted: LeaveReason | null;
  /** The worker that the plan assigns. */
  slot: WorkerSlot | null;
  /** Why it left `from`. */
  left: LeaveReason | null;
  /** Has to stop at `from` before it starts elsewhere. */
  breaksFirst: boolean;
  /** May not start before other units have left its worker. */
  waits: boolean;
}

/** Whether a move that began before this plan continues. */
export const isMoving = (entry: UnitEntry): boolean => entry.to !== undefined && entry.aborted === null;

const HASH_BITS = 32;
/** Of one pass of the sort; its counts have to fit into the cache. */
const DIGIT_BITS = 11;

/** How many units are handled without a pause, and how many hashes are sorted. */
const AT_ONCE = 1_000;
const SORTED_AT_ONCE = 50_000;

/**
 * The units in an order that does not depend on the order of the input. Yields where it may be interrupted. Throws
 * `InvalidInputError` when an id occurs twice.
 */
export function* unitEntries(
  units: readonly PlanUnit[],
  placements: ReadonlyMap<string, string>,
  moves: readonly PlanMove[],
): Generator<void, UnitEntry[]> {
  const facts = yield* factsOf(units, placements);
  const moveOf = moveByUnit(moves);
  const order = yield* canonicalOrder(units, facts.hashes);
  // A list of very many items that grows is copied each time.
  const entries = Array<UnitEntry>(order.length);
  for (let index = 0; index < order.length; index++) {
    if (index % AT_ONCE === AT_ONCE - 1) yield;
    const i = order[index]!;
    const unitId = facts.ids[i]!;
    const hash = facts.hashes[i]!;
    const previous = entries[index - 1];
    if (previous?.hash === hash && previous.unitId === unitId)
      throw new InvalidInputError('units', `${JSON.stringify(unitId)} occurs twice`);
    const move = moveOf.size === 0 ? undefined : moveOf.get(unitId);
    entries[index] = {
      unit: units[i]!,
      unitId,
      position: i,
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
    };
  }
  return entries;
}

/**
 * The fields of the entries, by position. Units are read only in the order in which they lie in memory: with 100,000 units,
 * any other order would spend most of the time waiting for memory.
 */
function* factsOf(units: readonly PlanUnit[], placements: ReadonlyMap<string, string>) {
  const count = units.length;
  const selectors = new SelectorIndex();
  const ids = Array<string>(count);
  const hashes = new Uint32Array(count);
  const costs = new Float64Array(count);
  const priorities = new Float64Array(count);
  const selectorIds = new Uint32Array(count);
  const places = Array<string | undefined>(count);
  for (let i = 0; i < count; i++) {
    if (i % AT_ONCE === AT_ONCE - 1) yield;
    const { unitId, cost, priority, selector } = units[i]!;
    ids[i] = unitId;
    hashes[i] = hashString(unitId);
    costs[i] = Number.isFinite(cost) && cost > 0 ? cost : 1;
    priorities[i] = Number.isFinite(priority) ? priority! : 0;
    selectorIds[i] = selectors.idOf(selector);
    places[i] = placements.size === 0 ? undefined : placements.get(unitId);
  }
  return { ids, hashes, costs, priorities, selectorIds, places };
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

/** Positions of the units, sorted by hash and then by id, because comparing strings is slow. */
function* canonicalOrder(units: readonly PlanUnit[], hashes: Uint32Array): Generator<void, Uint32Array> {
  const count = units.length;
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (let shift = 0; shift < HASH_BITS; shift += DIGIT_BITS) order = yield* byDigit(order, hashes, shift);
  yield;
  for (let start = 0, pauseAt = SORTED_AT_ONCE; start < count;) {
    if (start >= pauseAt) {
      yield;
      pauseAt = start + SORTED_AT_ONCE;
    }
    let end = start + 1;
    while (end < count && hashes[order[end]!] === hashes[order[start]!]) end += 1;
    if (end - start > 1)
      order.subarray(start, end).sort((a, b) => (units[a]!.unitId < units[b]!.unitId ? -1 : 1));
    start = end;
  }
  return order;
}

/** One pass of a radix sort: in the order of one digit of the hashes, otherwise as they were. Yields where it may be interrupted. */
function* byDigit(
  order: Uint32Array,
  hashes: Uint32Array,
  shift: number,
): Generator<void, Uint32Array<ArrayBuffer>> {
  const mask = 2 ** DIGIT_BITS - 1;
  const ends = new Uint32Array(2 ** DIGIT_BITS);
  for (let i = 0; i < hashes.length; i++) ends[(hashes[i]! >>> shift) & mask]!++;
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!;
  yield;
  const sorted = new Uint32Array(order.length);
  for (let i = order.length - 1; i >= 0; i--) {
    if (i % SORTED_AT_ONCE === 0) yield;
    const position = order[i]!;
    sorted[--ends[(hashes[position]! >>> shift) & mask]!] = position;
  }
  return sorted;
}

interface Node {
  id: number;
  next: Map<string, Node>;
}

/** Assigns equal numbers to equal selectors without building a string for each; 0 means no selector. */
class SelectorIndex {
  private readonly root: Node = { id: 0, next: new Map() };
  private count = 0;

  idOf(selector: Readonly<Record<string, string>> | undefined): number {
    if (selector === undefined) return 0;
    const names = Object.keys(selector);
    if (names.length > 1) names.sort();
    let node = this.root;
    for (const name of names) node = this.step(this.step(node, name), selector[name]!);
    return node.id;
  }

  private step(node: Node, word: string): Node {
    let next = node.next.get(word);
    if (next === undefined) {
      this.count += 1;
      next = { id: this.count, next: new Map() };
      node.next.set(word, next);
    }
    return next;
  }
}
