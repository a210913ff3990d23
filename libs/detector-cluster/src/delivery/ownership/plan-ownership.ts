import type { OwnerRecord } from '../log/log-store.js';
import { assignOwners } from './assign-owners.js';

export interface OwnershipInput {
  /** Of partition 0, 1, …. */
  readonly records: readonly OwnerRecord[];
  /** Processes that may own partitions, in order. */
  readonly candidates: readonly string[];
  /** Processes that live. */
  readonly alive: ReadonlySet<string>;
  /** Partition → detections per second. */
  readonly rates: ReadonlyMap<number, number>;
  /** Most partitions that may be on their way from one living process to another to level the load. */
  readonly maxHandOvers: number;
}

export interface OwnershipStep {
  readonly partition: number;
  /** See `Grant`. */
  readonly action: 'take' | 'hand-over' | 'keep';
  readonly to: string;
  readonly expected: string;
}

/**
 * What the master does so that every partition has a living owner and the load is level. Pure.
 *
 * A partition whose owner is gone is taken at once. A living owner is asked to hand over. Without candidates nothing changes: what
 * is in a partition waits.
 */
export function planOwnership(input: OwnershipInput): OwnershipStep[] {
  const { alive, candidates, maxHandOvers, rates, records } = input;
  if (candidates.length === 0) return [];
  const may = new Set(candidates);
  // Where it is going, else where it is.
  const current = new Map<number, string>();
  for (const [partition, { next, process }] of records.entries())
    current.set(partition, may.has(next) ? next : process);
  const under = records.filter(({ next, process }) => alive.has(process) && next !== '').length;
  const { assignments, moves } = assignOwners({
    members: candidates,
    current,
    rates,
    maxMoves: Math.max(0, maxHandOvers - under),
  });
  for (const { partition, to } of moves) assignments.set(partition, to);
  return records.flatMap((record, partition) => {
    const to = assignments.get(partition)!;
    return stepFor(partition, record, to, alive.has(record.process));
  });
}

function stepFor(partition: number, record: OwnerRecord, to: string, ownerLives: boolean): OwnershipStep[] {
  const { epoch, next, process } = record;
  const step = (action: OwnershipStep['action']): OwnershipStep[] => [
    { partition, action, to, expected: epoch },
  ];
  if (!ownerLives) return step('take');
  if (process === to) return next === '' ? [] : step('keep');
  return next === to ? [] : step('hand-over');
}
