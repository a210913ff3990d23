import type { Delivery } from '../journal/journal-line.js';

export interface Observation {
  /** Ids of accepted detections, in the order in which Redis accepted them. */
  readonly accepted: Iterable<string>;
  /** Ids of detections that Redis removed because their log was full. */
  readonly dropped?: ReadonlySet<string>;
  /** In any order. */
  readonly deliveries: readonly Delivery[];
}

export interface Verdict {
  /** Accepted detections that were not dropped, and for which no callback ever started. */
  readonly lost: number;
  /** Starts of callbacks beyond the first for a detection. */
  readonly duplicates: number;
  /** First starts after the first start of a detection of the same subscription that Redis accepted later. */
  readonly lateStarts: number;
  /** Accepted after a detection of the same subscription with a higher number from the same worker. */
  readonly lateAcceptances: number;
  /** Delivered without an observed acceptance. If there are any, the other figures mean nothing. */
  readonly unaccounted: number;
  /** Starts of callbacks in total. */
  readonly deliveries: number;
  /** How often a subscription's next accepted detection came from another worker. */
  readonly moves: number;
}

/**
 * Compares accepted detections with the starts of callbacks in all processes together. Only the first start of each detection
 * counts for the order: at-least-once delivery allows a second one at any time.
 */
export function judge({ accepted, deliveries, dropped }: Observation): Verdict {
  const starts = [...deliveries].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const first = new Map<string, Delivery>();
  for (const start of starts) if (!first.has(start.detectionId)) first.set(start.detectionId, start);

  const positions = new Map<string, number>();
  for (const id of accepted) positions.set(id, positions.size);

  let unaccounted = 0;
  const lateStarts = new Highest();
  for (const { detectionId, subscriptionIdentifier } of first.values()) {
    const position = positions.get(detectionId);
    if (position === undefined) unaccounted++;
    else lateStarts.next(subscriptionIdentifier, position);
  }

  let [lost, moves] = [0, 0];
  const lateAcceptances = new Highest();
  const workers = new Map<string, string>();
  for (const id of positions.keys()) {
    const delivery = first.get(id);
    if (delivery === undefined) {
      if (dropped?.has(id) !== true) lost++;
      continue;
    }
    const { subscriptionIdentifier, workerUrl, sequence } = delivery;
    lateAcceptances.next(`${subscriptionIdentifier} ${workerUrl}`, sequence);
    const before = workers.get(subscriptionIdentifier);
    if (before !== undefined && before !== workerUrl) moves++;
    workers.set(subscriptionIdentifier, workerUrl);
  }
  return {
    lost,
    duplicates: deliveries.length - first.size,
    lateStarts: lateStarts.violations,
    lateAcceptances: lateAcceptances.violations,
    unaccounted,
    deliveries: deliveries.length,
    moves,
  };
}

/** Counts numbers that are not greater than all earlier ones of their series. */
class Highest {
  violations = 0;
  private readonly highest = new Map<string, number>();

  next(series: string, value: number): void {
    if (value <= (this.highest.get(series) ?? Number.NEGATIVE_INFINITY)) this.violations++;
    else this.highest.set(series, value);
  }
}
