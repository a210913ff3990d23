import type { Delivery } from '../journal/journal-line.js';

export interface Verdict {
  /** Accepted by Redis, and never handed to a callback. */
  readonly lost: number;
  /** Calls of callbacks beyond the first for a detection. */
  readonly duplicates: number;
  /** First deliveries of a process that came after a later one of the same subscription in that process. */
  readonly outOfOrder: number;
  /** Delivered, but never seen to be accepted: the other figures mean nothing then. */
  readonly unaccounted: number;
  /** Callbacks called, over all. */
  readonly deliveries: number;
}

/**
 * Compares what was accepted with what reached callbacks. Order is promised within the tenure of one owner and for the new
 * owner, so it is judged per process; a detection that is delivered again says nothing about order.
 * @param deliveries in the order of the calls
 * @param watchedFrom index of the first delivery that somebody must have seen accepted
 */
export function judge(
  accepted: ReadonlySet<string>,
  deliveries: readonly Delivery[],
  watchedFrom = 0,
): Verdict {
  const seen = new Set<string>();
  const newest = new Map<string, number>();
  let [duplicates, outOfOrder, unaccounted] = [0, 0, 0];
  for (const [index, delivery] of deliveries.entries()) {
    const { process, detectionId, subscriptionIdentifier, workerUrl, sequence } = delivery;
    if (seen.has(detectionId)) {
      duplicates++;
      continue;
    }
    seen.add(detectionId);
    if (index >= watchedFrom && !accepted.has(detectionId)) unaccounted++;
    const queue = `${process} ${subscriptionIdentifier} ${workerUrl}`;
    const before = newest.get(queue) ?? 0;
    if (sequence < before) outOfOrder++;
    else newest.set(queue, sequence);
  }
  let lost = 0;
  for (const id of accepted) if (!seen.has(id)) lost++;
  return { lost, duplicates, outOfOrder, unaccounted, deliveries: deliveries.length };
}
