import type { AlertRow } from '@detector-cluster/dashboard-protocol';
import { computed } from '@preact/signals';
import { feed } from '../feed/feed.js';
import { workerHref } from './workers.js';
import { routeHref } from '../shell/route.js';
import { instantOf } from '../time/instant.js';

/** The page that shows more about an alert; the overview for all others. */
const PAGES: Readonly<Record<string, string>> = {
  DetectorClusterDesiredStateUnreadable: routeHref('manage'),
  DetectorClusterMasterChanges: lastHour('master-acquired'),
  DetectorClusterSubscriptionsFailed: routeHref('subscriptions', { status: 'failed' }),
  DetectorClusterSubscriptionsNotRunning: routeHref('subscriptions', {
    status: 'failed,recovering,pending',
  }),
  DetectorClusterCamerasMoveOften: lastHour('camera-moved'),
  DetectorClusterMovesFail: lastHour('camera-move-failed'),
};

/** A condition that holds. It fires once it has held for as long as its rule demands; until then it is pending. */
export interface Alert extends Pick<AlertRow, 'name' | 'severity' | 'summary'> {
  /** How long it is still pending, in milliseconds; 0: it fires. */
  readonly firesIn: number;
  /** When the condition began to hold. Milliseconds since 1970; null: not known. */
  readonly since: number | null;
  readonly href: string;
}

/** What fires or is pending, by the last message of the service. */
export const alerts = computed(() =>
  alertsOf(Object.values(feed.alerts.value), instantOf(feed.at.value) ?? 0),
);

/** First what fires, and of that the critical ones. @param now milliseconds since 1970, by the clock of the service */
export function alertsOf(rows: readonly AlertRow[], now: number): readonly Alert[] {
  return rows
    .map(({ name, severity, summary, workerUrl, since, firesAt }) => ({
      name,
      severity,
      summary,
      since: instantOf(since),
      firesIn: Math.max(0, (instantOf(firesAt) ?? now) - now),
      href: workerUrl === null ? (PAGES[name] ?? routeHref('overview')) : workerHref(workerUrl),
    }))
    .toSorted((a, b) => rank(a) - rank(b));
}

function rank({ firesIn, severity }: Alert): number {
  return (firesIn > 0 ? 2 : 0) + (severity === 'critical' ? 0 : 1);
}

function lastHour(type: string): string {
  return routeHref('events', { type, range: '1h' });
}

/** The service serves the runbook beside this page. */
export function runbookHref(name: string): string {
  return `runbook.html#${name.toLowerCase()}`;
}
