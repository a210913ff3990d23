import {
  applyChanges,
  EMPTY_VIEW,
  type ClusterLabel,
  type DashboardMessage,
  type DetectionItem,
  type EventItem,
  type Rows,
  type SourceRow,
  type SubscriptionRow,
  unpackSubscriptions,
} from '@detector-cluster/dashboard-protocol';
import { batch, computed, signal } from '@preact/signals';
import type { Connection } from './feed-connection.js';

/** How many of the newest events and detections the page keeps. */
export const EVENTS_KEPT = 2_000;
export const DETECTIONS_KEPT = 300;

/** What keeps the page from being up to date, and since when. ISO 8601. */
export interface Outage {
  readonly name: SourceRow['name'] | 'service';
  readonly since: string;
}

const NO_SUBSCRIPTIONS: Rows<SubscriptionRow> = {};

/**
 * The state of the cluster as the page knows it. The page keeps it while the service is unavailable; `connection` tells
 * whether it is current. A collection's signal changes only when one of its rows does. Unchanged rows stay the same
 * objects.
 */
export class FeedStore {
  private readonly view = signal(EMPTY_VIEW);
  readonly workers = computed(() => this.view.value.workers);
  readonly processes = computed(() => this.view.value.processes);
  /** Empty until {@link subscriptionsKnown}. */
  readonly subscriptions = computed(() => this.view.value.subscriptions ?? NO_SUBSCRIPTIONS);
  /** Whether the service has sent the subscriptions. Of many, it sends them after the rest. */
  readonly subscriptionsKnown = computed(() => this.view.value.subscriptions !== null);
  readonly skipped = computed(() => this.view.value.skipped);
  readonly models = computed(() => this.view.value.models);
  readonly rebalances = computed(() => this.view.value.rebalances);
  readonly alerts = computed(() => this.view.value.alerts);
  readonly receivers = computed(() => this.view.value.receivers);
  readonly sources = computed(() => this.view.value.sources);

  /**
   * The service, if the page has lost it, or Redis, if it is unavailable; the page then shows the last known processes as well.
   */
  readonly processesOutage = computed((): Outage | null => {
    const connection = this.connection.value;
    if (connection.phase === 'lost')
      return { name: 'service', since: new Date(connection.since).toISOString() };
    const { redis } = this.sources.value;
    return redis?.ok === false ? redis : null;
  });

  /**
   * The same, or the master, if it is unavailable; the page then shows the last known workers and subscriptions. Null: the page
   * is up to date once `connection` is live.
   */
  readonly outage = computed((): Outage | null => {
    const { master } = this.sources.value;
    return this.processesOutage.value ?? (master?.ok === false ? master : null);
  });

  /** Whether the service answers, and can read Redis. */
  readonly answers = computed(
    () => this.connection.value.phase === 'live' && this.processesOutage.value === null,
  );

  /** Whether workers and subscriptions are up to date. */
  readonly current = computed(() => this.connection.value.phase === 'live' && this.outage.value === null);

  /** Oldest first. */
  readonly events = signal<readonly EventItem[]>([]);
  /** Oldest first. */
  readonly detections = signal<readonly DetectionItem[]>([]);
  /** Detections since the page was opened, including those that the service skipped. */
  readonly detectionCount = signal(0);

  readonly connection = signal<Connection>({ phase: 'connecting', failure: null, retryAt: null });
  /** Whether the key, or the user, of this page may change anything. */
  readonly mayOperate = signal(true);
  /** Whether any message has arrived yet. */
  readonly known = signal(false);
  /** `processId` of the process that feeds this page; empty: none yet. */
  readonly servedBy = signal('');
  /** How people call the cluster; null: it has no name. */
  readonly cluster = signal<ClusterLabel | null>(null);
  /** Time of the known state, by the clock of the service. ISO 8601; empty: nothing is known. */
  readonly at = signal('');

  take(message: DashboardMessage): void {
    batch(() => {
      this.at.value = message.data.at;
      if (message.event === 'snapshot') {
        const { view } = message.data;
        // After a reconnection the known subscriptions stay until the service sends them.
        this.view.value = { ...view, subscriptions: view.subscriptions ?? this.view.value.subscriptions };
        this.servedBy.value = message.data.servedBy;
        this.cluster.value = message.data.cluster ?? null;
        this.known.value = true;
        this.addEvents(message.data.events);
        this.addDetections(message.data.detections);
        return;
      }
      if (message.event === 'subscriptions') {
        this.view.value = {
          ...this.view.value,
          subscriptions: unpackSubscriptions(message.data.subscriptions),
        };
        return;
      }
      const { changes, events = [], detections = [], skippedDetections = 0 } = message.data;
      if (changes !== undefined) this.view.value = applyChanges(this.view.value, changes);
      this.addEvents(events);
      this.addDetections(detections);
      this.detectionCount.value += skippedDetections;
    });
  }

  private addEvents(events: readonly EventItem[]): void {
    this.events.value = appendNew(this.events.value, events, ({ eventId }) => eventId, EVENTS_KEPT).items;
  }

  private addDetections(detections: readonly DetectionItem[]): void {
    const { items, added } = appendNew(this.detections.value, detections, arrivalOf, DETECTIONS_KEPT);
    this.detections.value = items;
    this.detectionCount.value += added;
  }
}

/** A detection may arrive more than once, at several processes. */
function arrivalOf({ detectionId, processId, receivedAt }: DetectionItem): string {
  return JSON.stringify([detectionId, processId, receivedAt]);
}

/**
 * The last `most` items, including the new ones of `more`; the same list if there are none. After a reconnection the
 * service sends items again that the page already has.
 */
export function appendNew<T>(
  items: readonly T[],
  more: readonly T[],
  keyOf: (item: T) => string,
  most: number,
): { readonly items: readonly T[]; readonly added: number } {
  if (more.length === 0) return { items, added: 0 };
  const known = new Set(items.map(keyOf));
  const added = more.filter((item) => {
    const key = keyOf(item);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
  if (added.length === 0) return { items, added: 0 };
  return { items: [...items, ...added].slice(-most), added: added.length };
}
