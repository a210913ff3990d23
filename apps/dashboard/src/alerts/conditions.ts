import type {
  EventItem,
  ProcessRow,
  Rows,
  SourceRow,
  SubscriptionRow,
  WorkerRow,
} from '@detector-cluster/dashboard-protocol';
import { workerHref } from '../overview/workers.js';
import { NO_MASTER } from '../shell/outages.js';
import { routeHref } from '../shell/route.js';
import { instantOf } from '../time/instant.js';
import { counted } from '../wording/counted.js';
import { COUNTED_TIME } from './alert-events.js';
import type { AlertName } from './alert-rules.js';

/** The condition of a rule, which holds now. */
export interface Condition {
  readonly name: AlertName;
  /** A sentence for people. */
  readonly summary: string;
  /** Since when the data shows that it holds, in milliseconds since 1970; null: the data does not show it. */
  readonly since: number | null;
  /** The page that shows more. */
  readonly href: string;
}

/** The page shows a worker's state as the rules do. */
const AWAY: ReadonlySet<WorkerRow['state']> = new Set<WorkerRow['state']>([
  'Connecting',
  'Suspect',
  'Offline',
]);

/** Of the dependencies, as the process that feeds this page sees them. */
export function sourceConditions({ redis, database, master }: Rows<SourceRow>): readonly Condition[] {
  const href = routeHref('overview');
  const conditions: Condition[] = [];
  if (redis?.ok === false)
    conditions.push({
      name: 'DetectorClusterProcessCutOff',
      summary: 'The process that serves this page cannot read Redis.',
      since: instantOf(redis.since),
      href,
    });
  if (master?.ok === false)
    conditions.push(
      master.problem === NO_MASTER
        ? {
            name: 'DetectorClusterNoMaster',
            summary: 'There is no master.',
            since: instantOf(master.since),
            href,
          }
        : {
            name: 'DetectorClusterStateUnknown',
            summary: 'The master does not write the state of the cluster.',
            since: instantOf(master.since),
            href,
          },
    );
  if (database?.ok === false)
    conditions.push({
      name: 'DetectorClusterDesiredStateUnreadable',
      summary: 'The process that serves this page cannot read the database.',
      since: instantOf(database.since),
      href: routeHref('manage'),
    });
  return conditions;
}

export function processConditions(rows: Rows<ProcessRow>): readonly Condition[] {
  const processes = Object.values(rows);
  const masters = processes.filter(({ role, mayAct }) => role === 'master' && mayAct).length;
  const href = routeHref('overview');
  const conditions: Condition[] = [];
  if (masters > 1)
    conditions.push({
      name: 'DetectorClusterTwoMasters',
      summary: `${masters} processes may act as master.`,
      since: null,
      href,
    });
  if (processes.length === 1)
    conditions.push({
      name: 'DetectorClusterNoFollower',
      summary: 'The cluster runs as a single process.',
      since: null,
      href,
    });
  return conditions;
}

/** @param events oldest first; they show since when a worker has been in its state */
export function workerConditions(
  rows: Rows<WorkerRow>,
  desired: number,
  events: readonly EventItem[],
): readonly Condition[] {
  const workers = Object.values(rows);
  // The usual case. There may be thousands of events, and workers report every second.
  if (workers.length > 0 && workers.every(({ state }) => state === 'Ready')) return [];
  const lost = lastOf(events, 'worker-offline', 'worker-online');
  const conditions: Condition[] = [];
  if (desired > 0 && !workers.some(({ state }) => state === 'Ready'))
    conditions.push({
      name: 'DetectorClusterNoWorkerReady',
      summary: `No worker is ready for ${counted(desired, 'subscription')}.`,
      since: latest(workers.map(({ url }) => lost.get(url) ?? null)),
      href: routeHref('overview'),
    });
  const away = workers.filter(({ state }) => AWAY.has(state));
  if (away.length > 0)
    conditions.push({
      name: 'DetectorClusterWorkersAway',
      summary: `${counted(away.length, 'worker')} ${are(away)} unavailable.`,
      since: earliestEvent(away, lost),
      href: pageOf(away),
    });
  const quarantined = workers.filter(({ state }) => state === 'Quarantined');
  if (quarantined.length > 0)
    conditions.push({
      name: 'DetectorClusterWorkerQuarantined',
      summary: `${counted(quarantined.length, 'worker')} ${are(quarantined)} quarantined.`,
      since: earliestEvent(quarantined, lastOf(events, 'worker-quarantined')),
      href: pageOf(quarantined),
    });
  return conditions;
}

export function subscriptionConditions(rows: Rows<SubscriptionRow>): readonly Condition[] {
  const idle: SubscriptionRow[] = [];
  for (const id in rows) if (rows[id]!.status !== 'active') idle.push(rows[id]!);
  const failed = idle.filter(({ status }) => status === 'failed');
  const conditions: Condition[] = [];
  if (failed.length > 0)
    conditions.push({
      name: 'DetectorClusterSubscriptionsFailed',
      summary: `Every worker refuses ${counted(failed.length, 'subscription')}.`,
      since: sinceOf(failed),
      href: routeHref('subscriptions', { status: 'failed' }),
    });
  if (idle.length > 0)
    conditions.push({
      name: 'DetectorClusterSubscriptionsNotRunning',
      summary: `${counted(idle.length, 'subscription')} ${are(idle)} not running.`,
      since: sinceOf(idle),
      href: routeHref('subscriptions', { status: 'failed,recovering,pending' }),
    });
  return conditions;
}

/** @param now milliseconds since 1970. If `events` do not reach back for an hour, fewer are counted. */
export function eventConditions(events: readonly EventItem[], now: number): readonly Condition[] {
  const lately = (type: string, reason?: string) =>
    events
      .filter((event) => event.type === type && (reason === undefined || event.reason === reason))
      .flatMap(({ at }) => instantOf(at) ?? [])
      .filter((at) => at > now - COUNTED_TIME && at <= now);
  const conditions: Condition[] = [];
  const more = (name: AlertName, limit: number, times: readonly number[], summary: string, type: string) => {
    if (times.length > limit)
      conditions.push({
        name,
        summary,
        since: times[limit]!,
        href: routeHref('events', { type, range: '1h' }),
      });
  };
  const masters = lately('master-acquired');
  const moved = lately('camera-moved', 'worker-offline');
  const failed = lately('camera-move-failed');
  more(
    'DetectorClusterMasterChanges',
    6,
    masters,
    `The master has changed ${masters.length} times within an hour.`,
    'master-acquired',
  );
  more(
    'DetectorClusterCamerasMoveOften',
    20,
    moved,
    `${moved.length} cameras moved within an hour because their workers went offline.`,
    'camera-moved',
  );
  more(
    'DetectorClusterMovesFail',
    5,
    failed,
    `${failed.length} moves of cameras failed within an hour.`,
    'camera-move-failed',
  );
  return conditions;
}

function sinceOf(some: readonly SubscriptionRow[]): number | null {
  return earliest(some.map(({ since }) => instantOf(since)));
}

function are({ length }: readonly unknown[]): string {
  return length === 1 ? 'is' : 'are';
}

function pageOf(workers: readonly WorkerRow[]): string {
  return workers.length === 1 ? workerHref(workers[0]!.url) : routeHref('overview');
}

/** Worker → when the last event of a type happened to it; none if one of the type `ended` followed. */
function lastOf(
  events: readonly EventItem[],
  type: string,
  ended?: string,
): ReadonlyMap<unknown, number | null> {
  const times = new Map<unknown, number | null>();
  for (const event of events)
    if (event.type === type) times.set(event.url, instantOf(event.at));
    else if (event.type === ended) times.delete(event.url);
  return times;
}

function earliestEvent(workers: readonly WorkerRow[], times: ReturnType<typeof lastOf>): number | null {
  return earliest(workers.map(({ url }) => times.get(url) ?? null));
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : known.reduce((least, time) => Math.min(least, time));
}

/** Null if one of the times is not known, or there are none. */
function latest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  if (known.length < times.length || known.length === 0) return null;
  return known.reduce((most, time) => Math.max(most, time));
}
