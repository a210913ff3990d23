import type { Delivery } from './journal.js';

/** Allowed duplicates per fault: the entries that a process has in flight. */
const DUPLICATES_PER_FAULT = 64;

/** Longest allowed time without any acceptance, except excused times. Milliseconds. */
const MAX_REFUSED = 3_000;

/** The measurements of a run of the scenario. */
export interface Measured extends Omit<Verdict, 'moves'> {
  /** Detections that a worker has made, that Redis never accepted, and that the worker does not count as lost in its full outbox. */
  readonly lostSent: number;
  /**
   * Detections that Redis removed from full logs. The load leaves room for all the faults, so a full log means that a partition was not
   * read, or that the machine is too slow for the load.
   */
  readonly dropped: number;
  /** Accepted detections whose entries are still in their stream after their callbacks have returned. */
  readonly unfinished: number;
  /** Number of faults that may cause duplicates. */
  readonly faults: number;
  /** Milliseconds. */
  readonly maxRefusedMs: number;
}

/** Names the promises that did not hold. */
export function brokenPromises(measured: Measured): (keyof Measured)[] {
  const { duplicates, faults, maxRefusedMs } = measured;
  const zeros = [
    'lostSent',
    'lost',
    'dropped',
    'lateStarts',
    'lateAcceptances',
    'unaccounted',
    'unfinished',
  ] as const;
  return [
    ...zeros.filter((name) => measured[name] !== 0),
    ...(duplicates > DUPLICATES_PER_FAULT * faults ? (['duplicates'] as const) : []),
    ...(maxRefusedMs > MAX_REFUSED ? (['maxRefusedMs'] as const) : []),
  ];
}

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
export function judge({ accepted, deliveries, dropped }: Observation): Verdict {
  const first = firstStarts(deliveries);

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
    moves,
  };
}

/** What a worker says about the detections that it has made. */
export interface SentByWorker {
  readonly workerUrl: string;
  /** Subscription → number of the last detection. The first is 1. */
  readonly sequences: Readonly<Record<string, number>>;
  /** Subscription → numbers of the detections that the worker had no room for. A master may have accepted them before. */
  readonly dropped: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;
}

/**
 * Counts detections that workers have sent and that never had an outcome. While a camera moves, two workers send its detections, and
 * only one of them counts. So numbers may be missing where the worker of the next accepted detection is another one, but not between two
 * of the same worker, before the first, and after the last. Those that a worker has dropped have an outcome.
 * @param accepted in the order in which Redis accepted them
 */
export function missingOfSent(
  accepted: Iterable<string>,
  deliveries: readonly Delivery[],
  sent: readonly SentByWorker[],
): number {
  const first = firstStarts(deliveries);
  const latest = new Map<string, Delivery>();
  let missing = 0;
  const sentBy = ({ workerUrl }: Delivery) => sent.find((each) => each.workerUrl === workerUrl);
  /** Counts the numbers from `from` on that are below `end`. */
  const count = (of: Delivery, from: number, end: number) => {
    missing += Math.max(0, end - from);
    for (const [first, last] of sentBy(of)?.dropped[of.subscriptionIdentifier] ?? [])
      missing -= Math.max(0, Math.min(end, last + 1) - Math.max(from, first));
  };
  for (const id of accepted) {
    const next = first.get(id);
    if (next === undefined) continue;
    const { subscriptionIdentifier, sequence, workerUrl } = next;
    const before = latest.get(subscriptionIdentifier);
    if (before === undefined) count(next, 1, sequence);
    else if (before.workerUrl === workerUrl) count(next, before.sequence + 1, sequence);
    latest.set(subscriptionIdentifier, next);
  }
  for (const last of latest.values())
    count(last, last.sequence + 1, (sentBy(last)?.sequences[last.subscriptionIdentifier] ?? 0) + 1);
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

  next(series: string, value: number): void {
    if (value <= (this.highest.get(series) ?? Number.NEGATIVE_INFINITY)) this.violations++;
    else this.highest.set(series, value);
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
