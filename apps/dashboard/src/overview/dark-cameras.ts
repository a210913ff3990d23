import type { Rows, SkippedRow, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { camerasOf, worstFirst } from '../cameras/camera-list.js';
import { routeHref } from '../shell/route.js';
import { REASON_DETAILS } from '../subscriptions/reason-text.js';
import type { ShownStatus } from '../subscriptions/status-badge.js';
import { instantOf } from '../time/instant.js';
import { asSentence } from '../wording/as-sentence.js';
import { counted } from '../wording/counted.js';
import { textOf } from '../wording/phrase.js';

/** What is dark for one reason. */
export interface DarkGroup {
  readonly status: ShownStatus;
  readonly reason: string;
  /** `3 cameras`. */
  readonly count: string;
  /** Where all of them are listed. */
  readonly href: string;
  /** When the first one became dark. Milliseconds since 1970; null: not known. */
  readonly since: number | null;
  /** The names of some of them, and the page about each. */
  readonly names: readonly { readonly name: string; readonly href: string }[];
  /** What the reason means, and what happens next. */
  readonly next: string;
}

/** A group names at most this many. */
const MAX_NAMES = 5;

const SKIPPED_NEXT = 'It starts when the row is corrected; nothing happens before.';

/** Those with the worst status first. */
export function darkGroups(
  subscriptions: Rows<SubscriptionRow>,
  skipped: Rows<SkippedRow>,
): readonly DarkGroup[] {
  const dark = worstFirst(camerasOf(notActive(subscriptions)));
  return [
    ...grouped(dark).map(([first, ...others]): DarkGroup => {
      const { status, reason } = first;
      const all = [first, ...others];
      const times = all.flatMap(({ since }) => instantOf(since) ?? []);
      return {
        status,
        reason,
        count: counted(all.length, 'camera'),
        href: routeHref('cameras', { status }),
        since: times.length === 0 ? null : times.reduce((least, time) => Math.min(least, time)),
        names: named(all, ({ cameraId }) => [cameraId, routeHref('cameras', { text: cameraId })]),
        next: textOf(REASON_DETAILS, reason),
      };
    }),
    ...grouped(Object.values(skipped)).map(([first, ...others]): DarkGroup => {
      const all = [first, ...others];
      return {
        status: 'skipped',
        reason: first.reason,
        count: counted(all.length, 'display'),
        href: routeHref('subscriptions', { view: 'skipped' }),
        since: null,
        names: named(all, ({ displayId, cameraId }) => [
          cameraId === undefined ? displayId : `${displayId} (camera ${cameraId})`,
          routeHref('manage', { kind: 'displays', text: displayId }),
        ]),
        next: all.length === 1 ? `${asSentence(first.detail)}. ${SKIPPED_NEXT}` : SKIPPED_NEXT,
      };
    }),
  ];
}

/** There can be very many subscriptions, and few of these. */
function notActive(subscriptions: Rows<SubscriptionRow>): Rows<SubscriptionRow> {
  const found: Record<string, SubscriptionRow> = {};
  for (const id in subscriptions) if (subscriptions[id]!.status !== 'active') found[id] = subscriptions[id]!;
  return found;
}

/** In the order of the first ones. */
function grouped<T extends { readonly status?: string; readonly reason: string }>(items: readonly T[]) {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = `${item.status} ${item.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return Array.from(groups.values());
}

function named<T>(items: readonly T[], of: (item: T) => [name: string, href: string]): DarkGroup['names'] {
  return items.slice(0, MAX_NAMES).map((item) => {
    const [name, href] = of(item);
    return { name, href };
  });
}
