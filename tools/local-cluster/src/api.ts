import type {
  ActualCameraSubscription,
  DetectorClusterState,
  SkippedDisplay,
  SlaveState,
} from '@detector-cluster/detector-cluster';
import { answerWithin } from '@detector-cluster/dev-services';
import type { StatsReport } from '@detector-cluster/detector-worker';

/** The state of a cluster in the words of the reference service, which calls a process without the master's lease a follower. */
export interface ClusterStateAnswer extends Omit<DetectorClusterState, 'slaveId' | 'totalSlaves' | 'slaves'> {
  totalFollowers: number;
  followers: Omit<SlaveState, 'slaveId'>[];
}

export type SubscriptionAnswer = Pick<
  ActualCameraSubscription,
  'subscriptionIdentifier' | 'assignedWorkerUrl' | 'status' | 'reason' | 'since'
>;

export interface SubscriptionsAnswer {
  subscriptions: SubscriptionAnswer[];
  skipped: SkippedDisplay[];
}

/** The parts of a detection that demo and tests read. */
export interface RecentDetection {
  detectionId: string;
  subscriptionIdentifier: string;
  /** When the worker made it, ISO 8601. */
  timestamp: string;
  data: { detection: Record<string, unknown> | null; modelId: number; modelName: string };
}

/** GET as JSON; rejects on anything but 2xx and after `timeout` ms. */
export async function get<T>(base: string, path: string, timeout = 2_000): Promise<T> {
  return request<T>(base, 'GET', path, undefined, timeout);
}

/** All items of a list, page by page. */
export async function getAll<T>(base: string, path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = new URLSearchParams({ limit: '1000', ...(cursor !== '' && { cursor }) });
    const page: { items: T[]; nextCursor: string | null } = await get(base, `${path}?${query}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

/** Detections that reached the callbacks of these backends lately: at most 1,000 of each. */
export async function recentDetections(
  backends: readonly { readonly url: string }[],
): Promise<RecentDetection[]> {
  const pages = await Promise.all(
    backends.map(({ url }) => get<{ items: RecentDetection[] }>(url, '/api/detections/recent?limit=1000')),
  );
  return pages.flatMap(({ items }) => items);
}

/** Subscriptions, and displays without one. */
export async function getSubscriptions(base: string): Promise<SubscriptionsAnswer> {
  const [subscriptions, skipped] = await Promise.all([
    getAll<SubscriptionAnswer>(base, '/api/cluster/subscriptions'),
    getAll<SkippedDisplay>(base, '/api/cluster/skipped-displays'),
  ]);
  return { subscriptions, skipped };
}

/** Any method, with a body as JSON; rejects on anything but 2xx and after `timeout` ms. */
export async function request<T>(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  timeout = 2_000,
): Promise<T> {
  return answerWithin(timeout, async () => {
    const response = await fetch(`${base}${path}`, {
      method,
      signal: AbortSignal.timeout(timeout),
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  });
}

/** What a reference worker reports about itself. @param base address of its HTTP server */
export function workerStats(base: string): Promise<StatsReport> {
  return get(base, '/stats', 60_000);
}

/** Subscribe and unsubscribe commands that these workers have carried out since they were started. */
export async function commandsTaken(bases: readonly string[]): Promise<number> {
  const reports = await Promise.all(bases.map(workerStats));
  const counts = reports.flatMap(({ commands: { accepted, stale } }) => [accepted, stale]);
  return counts.reduce((sum, { subscribe, unsubscribe }) => sum + subscribe + unsubscribe, 0);
}
