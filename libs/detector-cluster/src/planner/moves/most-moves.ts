import type { WorkerSlot } from '../load/worker-slot.js';

const shareOf = ({ allocated, capacity }: WorkerSlot): number => allocated / capacity;
const loadOf = (slot: WorkerSlot): number => slot.loadWith(0);

/**
 * How many moves levelling may make before it pauses: the fair share of units of one worker, once for each worker far below
 * it and at least once. This is enough to fill new workers, and it bounds the levelling of a load that no move can level.
 */
export function mostMoves(taking: readonly WorkerSlot[], units: number): number {
  const [meanShare, meanLoad] = [meanOf(taking.map(shareOf)), meanOf(taking.map(loadOf))];
  const newcomers = taking.filter((slot) => shareOf(slot) <= meanShare / 2 && loadOf(slot) < meanLoad);
  return Math.ceil(units / taking.length) * Math.max(1, newcomers.length);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
