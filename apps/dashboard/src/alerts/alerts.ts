import { computed, effect, signal } from '@preact/signals';
import { clusterApi } from '../api/cluster-api.js';
import { mergeEvents } from '../events/event-history.js';
import { feed } from '../feed/feed.js';
import { instantOf } from '../time/instant.js';
import { AlertEvents } from './alert-events.js';
import { alertsOf, hold, type Alert, type Held } from './alert-rules.js';
import {
  eventConditions,
  processConditions,
  sourceConditions,
  subscriptionConditions,
  workerConditions,
  type Condition,
} from './conditions.js';

/** What fires or is pending, by the last message of the service. */
export const alerts = signal<readonly Alert[]>([]);

const past = new AlertEvents((query) => clusterApi.events(query));
const events = computed(() => mergeEvents(past.events.value, feed.events.value));

const ofSubscriptions = computed(() => subscriptionConditions(feed.subscriptions.value));
const desired = computed(() => Object.keys(feed.subscriptions.value).length);
const ofWorkers = computed(() => workerConditions(feed.workers.value, desired.value, events.value));
const ofProcesses = computed(() => processConditions(feed.processes.value));

/** Whether the service can be asked for events. */
const available = computed(
  () => feed.connection.value.phase === 'live' && feed.sources.value.redis?.ok !== false,
);

/** Evaluates the rules with each message of the service, until the page closes. */
export function startAlerts(): void {
  // The feed has few events of the time before this page was opened, or before it was connected again.
  effect(() => {
    const now = instantOf(feed.at.peek());
    if (available.value && now !== null) void past.load(now);
  });
  let held: Held = new Map();
  let ofCluster: readonly Condition[] = [];
  effect(() => {
    const now = instantOf(feed.at.value);
    if (now === null) return;
    // During an outage the rows are old and processes cannot report, so their conditions stay as they were.
    if (feed.outage.value === null)
      ofCluster = [
        ...ofSubscriptions.value,
        ...ofWorkers.value,
        ...ofProcesses.value,
        ...eventConditions(events.value, now),
      ];
    const conditions = [...sourceConditions(feed.sources.value), ...ofCluster];
    held = hold(conditions, held, now);
    alerts.value = alertsOf(conditions, held, now);
  });
}
