import type { WorkerSlot } from '../load/worker-slot.js';

const shareOf = ({ allocated, capacity }: WorkerSlot): number => allocated / capacity;
const loadOf = (slot: WorkerSlot): number => slot.loadWith(0);

/**
 * How many moves levelling may take before it rests: the share of the units that a worker should have, for each worker that
 * is far from it. So much is enough for workers that have joined, and no load that stays uneven whatever is moved keeps
 * units moving.
 */
export function mostMoves(taking: readonly WorkerSlot[], units: number): number {
  const [meanShare, meanLoad] = [meanOf(taking.map(shareOf)), meanOf(taking.map(loadOf))];
  const newcomers = taking.filter((slot) => shareOf(slot) <= meanShare / 2 && loadOf(slot) < meanLoad);
  return Math.ceil(units / taking.length) * Math.max(1, newcomers.length);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
