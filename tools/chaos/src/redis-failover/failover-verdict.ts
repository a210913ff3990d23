import { firstStarts, Highest } from '../delivery/verdict.js';
import type { Delivery } from '../journal/journal.js';

export interface FailoverVerdict {
  /** Detections that a master reported as accepted and for which no callback ever started. */
  readonly lost: number;
  /** First starts after the first start of a detection to which the same worker had given a higher number. */
  readonly outOfOrder: number;
  /** Starts of callbacks beyond the first for a detection. */
  readonly duplicates: number;
}

/**
 * Compares the detections that masters reported as accepted with the starts of callbacks. The servers change, so no process can
 * observe the order in which Redis accepted detections. Cameras do not move here, so the worker's own numbers give the order.
 * @param deliveries in any order
 */
export function judgeFailover(
  accepted: ReadonlySet<string>,
  deliveries: readonly Delivery[],
): FailoverVerdict {
  const started = firstStarts(deliveries);
  const order = new Highest();
  for (const { subscriptionIdentifier, workerUrl, sequence } of started.values())
    order.next(`${subscriptionIdentifier} ${workerUrl}`, sequence);
  const lost = [...accepted].filter((id) => !started.has(id)).length;
  return { lost, outOfOrder: order.violations, duplicates: deliveries.length - started.size };
}
