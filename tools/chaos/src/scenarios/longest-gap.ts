import type { Delivery } from '@detector-cluster/history';

/** A time in which a subscription got no detection. */
export interface Gap {
  /** Milliseconds. */
  readonly ms: number;
  readonly subscriptionIdentifier: string;
  /** The last delivery before and the first after the gap; undefined at the edge of the measured time. */
  readonly before: Delivery | undefined;
  readonly after: Delivery | undefined;
  /** Detections of other subscriptions during the gap; 0 if no process delivered. */
  readonly others: number;
}

/**
 * The longest time between two instants in which any subscription got no detection. If a subscription got none at all, it is
 * the whole time.
 * @param deliveries in the order of the calls
 * @param subscriptions at least one
 */
export function longestGap(
  deliveries: readonly Delivery[],
  subscriptions: Iterable<string>,
  from: number,
  to: number,
): Gap {
  const last = new Map<string, Delivery | undefined>();
  for (const subscription of subscriptions) last.set(subscription, undefined);
  let longest: Omit<Gap, 'others'> | undefined;
  const look = (subscriptionIdentifier: string, after: Delivery | undefined) => {
    const before = last.get(subscriptionIdentifier);
    const ms = (after?.at ?? to) - (before?.at ?? from);
    if (longest === undefined || ms > longest.ms) longest = { ms, subscriptionIdentifier, before, after };
  };
  for (const delivery of deliveries) {
    const { subscriptionIdentifier, at } = delivery;
    if (!last.has(subscriptionIdentifier) || at < from || at > to) continue;
    look(subscriptionIdentifier, delivery);
    last.set(subscriptionIdentifier, delivery);
  }
  for (const subscription of last.keys()) look(subscription, undefined);
  if (longest === undefined) throw new Error('no subscription to look at');
  const start = longest.before?.at ?? from;
  const others = deliveries.filter(({ at }) => at > start && at < start + longest!.ms).length;
  return { ...longest, others };
}

/** Describes the deliveries on both sides of the gap, to show a change of worker, process or term. */
export function describeGap({ ms, subscriptionIdentifier, before, after, others }: Gap): string {
  const sides = `from ${describeSide(before) ?? 'the beginning'} to ${describeSide(after) ?? 'the end'}`;
  return `longest gap: ${ms} ms, ${subscriptionIdentifier}, ${sides}; ${others} detections of others in between`;
}

function describeSide(delivery: Delivery | undefined): string | undefined {
  if (delivery === undefined) return undefined;
  const { detectionId, sequence, workerUrl, process } = delivery;
  return `${detectionId} (number ${sequence} of ${workerUrl}) in process ${process}`;
}
