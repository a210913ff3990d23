import type { Accepted, Delivery, Held, SentByWorker } from './history-line.js';

/** Gets each detection that breaks a promise. */
export type Note = (promise: string, id: string, delivery?: Delivery) => void;

interface Observation {
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
  /** How often a subscription's next accepted detection came from another worker. */
  readonly moves: number;
}

/**
 * Compares accepted detections with the starts of callbacks in all processes together. Only the first start of each detection
 * counts for the order: at-least-once delivery allows a second one at any time.
 */
export function judge({ accepted, deliveries, dropped }: Observation, note: Note = () => undefined): Verdict {
  const first = firstStarts(deliveries);

  const positions = new Map<string, number>();
  for (const id of accepted) positions.set(id, positions.size);

  let unaccounted = 0;
  const lateStarts = new Highest();
  for (const delivery of first.values()) {
    const { detectionId, subscriptionIdentifier } = delivery;
    const position = positions.get(detectionId);
    if (position === undefined) {
      unaccounted++;
      note('unaccounted', detectionId, delivery);
    } else if (lateStarts.next(subscriptionIdentifier, position)) note('lateStarts', detectionId, delivery);
  }

  let [lost, moves] = [0, 0];
  const lateAcceptances = new Highest();
  const workers = new Map<string, string>();
  for (const id of positions.keys()) {
    const delivery = first.get(id);
    if (delivery === undefined) {
      if (dropped?.has(id) !== true) {
        lost++;
        note('lost', id);
      }
      continue;
    }
    const { subscriptionIdentifier, workerUrl, sequence } = delivery;
    if (lateAcceptances.next(`${subscriptionIdentifier} ${workerUrl}`, sequence))
      note('lateAcceptances', id, delivery);
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
    moves,
  };
}

/** Detections of one worker that never had an outcome. */
export interface MissingRange {
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  readonly first: number;
  readonly last: number;
  /** When the one before was accepted; null: none was. Milliseconds since 1970. */
  readonly after: number | null;
}

interface Sent {
  /** In the order of acceptance. */
  readonly accepted: Iterable<Pick<Accepted, 'id' | 'at'>>;
  readonly deliveries: readonly Delivery[];
  readonly sent: readonly SentByWorker[];
  readonly held: readonly Held[];
}

/**
 * Finds detections that workers have sent and that never had an outcome. While a camera moves, two workers send its detections, and
 * only one of them counts. So numbers may be missing where the worker of the next accepted detection is another one, and while another one
 * holds the subscription, but not between two of the same worker, before the first, and after the last. Those that a worker has dropped
 * have an outcome.
 */
export function missingOfSent({ accepted, deliveries, held, sent }: Sent): MissingRange[] {
  const first = firstStarts(deliveries);
  const latest = new Map<string, { delivery: Delivery; at: number }>();
  const missing: MissingRange[] = [];
  const sentBy = ({ workerUrl }: Delivery) => sent.find((each) => each.workerUrl === workerUrl);
  /** Whether another worker held the subscription at any time from `from` to `to`. */
  const wasAway = ({ subscriptionIdentifier: id, workerUrl }: Delivery, from: number, to: number) => {
    const spans = held.filter((each) => each.subscriptionIdentifier === id).sort((a, b) => a.at - b.at);
    return spans.some(
      (span, i) =>
        span.workerUrl !== workerUrl &&
        span.at <= to &&
        (spans[i + 1]?.at ?? Number.POSITIVE_INFINITY) >= from,
    );
  };
  /** Finds those from the number `from` on that are below `end`. */
  const find = (of: Delivery, from: number, end: number, after: number | null, before: number) => {
    const { subscriptionIdentifier, workerUrl } = of;
    if (from >= end || wasAway(of, after ?? Number.NEGATIVE_INFINITY, before)) return;
    const dropped = sentBy(of)?.dropped[subscriptionIdentifier] ?? [];
    for (const [least, most] of [...dropped, [end, end] as const]) {
      if (most < from) continue;
      if (least > from)
        missing.push({
          subscriptionIdentifier,
          workerUrl,
          first: from,
          last: Math.min(least, end) - 1,
          after,
        });
      from = most + 1;
      if (from >= end) return;
    }
  };
  for (const { id, at } of accepted) {
    const delivery = first.get(id);
    if (delivery === undefined) continue;
    const { subscriptionIdentifier, sequence, workerUrl } = delivery;
    const before = latest.get(subscriptionIdentifier);
    if (before === undefined) find(delivery, 1, sequence, null, at);
    else if (before.delivery.workerUrl === workerUrl)
      find(delivery, before.delivery.sequence + 1, sequence, before.at, at);
    latest.set(subscriptionIdentifier, { delivery, at });
  }
  for (const { delivery, at } of latest.values()) {
    const last = sentBy(delivery)?.sequences[delivery.subscriptionIdentifier] ?? 0;
    find(delivery, delivery.sequence + 1, last + 1, at, Number.POSITIVE_INFINITY);
  }
  return missing;
}

/** The first start of a callback of each detection, in the order of the instants. */
function firstStarts(deliveries: readonly Delivery[]): Map<string, Delivery> {
  const first = new Map<string, Delivery>();
  for (const start of [...deliveries].sort((a, b) => a.startedAt - b.startedAt))
    if (!first.has(start.detectionId)) first.set(start.detectionId, start);
  return first;
}

/** Counts numbers that are not greater than all earlier ones of their series. */
class Highest {
  violations = 0;
  private readonly highest = new Map<string, number>();

  /** Returns whether it is one of them. */
  next(series: string, value: number): boolean {
    const isLow = value <= (this.highest.get(series) ?? Number.NEGATIVE_INFINITY);
    if (isLow) this.violations++;
    else this.highest.set(series, value);
    return isLow;
  }
}

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
  accepted: Iterable<string>,
  deliveries: readonly Delivery[],
  note: Note = () => undefined,
): FailoverVerdict {
  const started = firstStarts(deliveries);
  const order = new Highest();
  for (const delivery of started.values()) {
    const { subscriptionIdentifier, workerUrl, sequence } = delivery;
    if (order.next(`${subscriptionIdentifier} ${workerUrl}`, sequence))
      note('outOfOrder', delivery.detectionId, delivery);
  }
  let lost = 0;
  for (const id of accepted) {
    if (started.has(id)) continue;
    lost++;
    note('lost', id);
  }
  return { lost, outOfOrder: order.violations, duplicates: deliveries.length - started.size };
}
