/** The parts of the applications' answers that demo and tests read. */
export interface ClusterStateAnswer {
  processId: string;
  isMaster: boolean;
  totalWorkers: number;
  totalFollowers: number;
  workers: {
    url: string;
    online: boolean;
    state: string;
    cpuUsage: number | null;
    subscriptions: string[];
    /** ISO 8601; empty before the first. */
    lastHeartbeat: string;
    /** ISO 8601; empty before the first connection. */
    connectedAt: string;
  }[];
  followers: { processId: string; workload: number }[];
  assignments: Record<string, string>;
}

export interface SubscriptionAnswer {
  subscriptionIdentifier: string;
  assignedWorkerUrl: string;
  status: 'active' | 'pending' | 'failed' | 'recovering';
  reason: string;
  since: string;
}

export interface SkippedAnswer {
  displayId: string;
  reason: string;
  detail: string;
}

export interface SubscriptionsAnswer {
  subscriptions: SubscriptionAnswer[];
  skipped: SkippedAnswer[];
}

export interface RecentDetection {
  detectionId: string;
  subscriptionIdentifier: string;
  receivedAt: string;
  redelivered: boolean;
  data: { detection: Record<string, unknown> | null; modelId: number; modelName: string };
}

export interface WorkerStatsAnswer {
  commands: { accepted: Record<string, number>; stale: Record<string, number> };
  detectionsSent: number;
  streams: { subscriptionIdentifier: string; online: boolean }[];
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

/** Subscriptions, and displays without one. */
export async function getSubscriptions(base: string): Promise<SubscriptionsAnswer> {
  const [subscriptions, skipped] = await Promise.all([
    getAll<SubscriptionAnswer>(base, '/api/cluster/subscriptions'),
    getAll<SkippedAnswer>(base, '/api/cluster/skipped-displays'),
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
}
