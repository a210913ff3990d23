import { inChunks } from '../model/in-chunks.js';
import type { Balance } from './plan.types.js';
import type { WorkerSlot } from './worker-slot.js';
import type { UnitEntry } from './unit-entry.js';

/** How evenly the load is spread, in the measures that start and stop rebalancing. */
export interface BalanceFigures extends Omit<Balance, 'rebalancing'> {
  /** `allocationSpread` in moves: how many units of mean cost it takes to swap both ends. */
  readonly allocationGap: number;
  /** The mean cost of a unit as a share of the capacity of the smaller of both ends. */
  readonly unitShare: number;
}

const NONE: BalanceFigures = {
  deviation: 0,
  spread: 0,
  allocationSpread: 0,
  allocationGap: 0,
  unitShare: 0,
};

/** Over the workers that take part; `meanCost` is the mean cost of a unit. */
export function balanceFigures(slots: readonly WorkerSlot[], meanCost: number): BalanceFigures {
  if (slots.length < 2) return NONE;
  let sum = 0;
  let squares = 0;
  let shares = 0;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [least, most] = [slots[0]!, slots[0]!];
  for (const slot of slots) {
    const load = slot.load.at(slot.allocated);
    sum += load;
    squares += load * load;
    low = Math.min(low, load);
    high = Math.max(high, load);
    const share = shareOf(slot);
    shares += share;
    if (share < shareOf(least)) least = slot;
    if (share > shareOf(most)) most = slot;
  }
  const mean = sum / slots.length;
  const gap = shareOf(most) - shareOf(least);
  const perCost = 1 / least.capacity + 1 / most.capacity;
  return {
    deviation: Math.sqrt(Math.max(0, squares / slots.length - mean * mean)),
    spread: high - low,
    allocationSpread: shares > 0 ? gap / (shares / slots.length) : 0,
    allocationGap: meanCost > 0 ? (2 * gap) / (perCost * meanCost) : 0,
    unitShare: meanCost / Math.min(least.capacity, most.capacity),
  };
}

/**
 * Rebalancing starts beyond the outer bands. The allocation has its own band, because the loads alone never reveal a worker
 * that has just joined a cluster with low utilisation or with very many workers. (VMware DRS scales its deviation with the
 * number of hosts for the same reason.)
 */
export function beyondStart(f: BalanceFigures): boolean {
  return f.deviation > 0.1 || f.spread > 0.25 || (f.allocationSpread > 0.5 && f.allocationGap >= 2);
}

export const loadsBalanced = (f: BalanceFigures): boolean =>
  f.deviation <= 0.05 && f.spread <= Math.max(0.1, f.unitShare);

export const allocationsBalanced = (f: BalanceFigures): boolean =>
  f.allocationSpread <= 0.2 || f.allocationGap < 2;

/** Rebalancing stops within the inner bands. The distance between both bands keeps noise from starting it again. */
export const withinStop = (f: BalanceFigures): boolean => loadsBalanced(f) && allocationsBalanced(f);

function shareOf(slot: WorkerSlot): number {
  return slot.allocated / slot.capacity;
}

/** The workers among which the load is balanced. */
export function participants(slots: readonly WorkerSlot[]): WorkerSlot[] {
  return slots.filter(
    ({ worker, draining, capacity }) =>
      worker.state === 'Ready' && !worker.cordoned && !draining && capacity > 0,
  );
}

/** The units that ran on each of the workers before this plan. Yields where it may be interrupted. */
export function* residentsOf(
  entries: readonly UnitEntry[],
  slots: readonly WorkerSlot[],
): Generator<void, Map<WorkerSlot, UnitEntry[]>> {
  const residents = new Map<WorkerSlot, UnitEntry[]>(slots.map((slot) => [slot, []]));
  yield* inChunks(entries, (entry) => {
    if (entry.slot !== null && entry.from === entry.slot.url && entry.left === null)
      residents.get(entry.slot)?.push(entry);
  });
  return residents;
}

/** 0 when there are no units. Yields where it may be interrupted. */
export function* meanCostOf(entries: readonly UnitEntry[]): Generator<void, number> {
  let sum = 0;
  yield* inChunks(entries, ({ cost }) => void (sum += cost));
  return entries.length === 0 ? 0 : sum / entries.length;
}
