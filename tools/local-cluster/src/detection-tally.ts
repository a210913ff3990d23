import { waitFor } from '@detector-cluster/dev-services';
import type { AcceptanceMonitor } from './acceptance-monitor.js';
import { get, type RecentDetection } from './api.js';
import type { LocalCluster } from './local-cluster.js';

/**
 * Detections that Redis has accepted but that reached no callback within `timeout` ms: their ids, streams and entries.
 * `timeout` must be longer than a pending retry takes. A callback counts if its process reports it or, if the process has
 * ended, by its acknowledgement.
 */
export async function lostDetections(
  cluster: LocalCluster,
  monitor: AcceptanceMonitor,
  tally: DetectionTally,
  timeout: number,
): Promise<string[]> {
  const accepted = [...monitor.accepted];
  if (accepted.length === 0) throw new Error('no accepted detection was observed');
  const missing = () => accepted.filter(([id]) => !tally.deliveries.has(id) && !monitor.finished.has(id));
  await waitFor('accepted detections to be delivered', timeout, async () => {
    await tally.poll(cluster.backends);
    return missing().length === 0;
  }).catch(() => undefined);
  monitor.check();
  return missing().map(([id, { stream, entry }]) => `${id} in ${stream} ${entry}`);
}

interface RecentPage {
  items: RecentDetection[];
  nextCursor: string;
  missed: boolean;
}

/** Collects the detections that reached the callbacks of every backend, exactly once per delivery. */
export class DetectionTally {
  /** Detection id → how often it reached a callback, in all processes together. */
  readonly deliveries = new Map<string, number>();
  /** Subscription → deliveries. */
  readonly bySubscription = new Map<string, number>();
  total = 0;
  /** Whether a backend dropped detections before they were read here. Then the counts mean nothing. */
  missed = false;
  private readonly cursors = new Map<string, string>();

  /** Reads new detections from these backends. A backend that does not answer is read next time. */
  async poll(backends: readonly { readonly url: string }[]): Promise<void> {
    await Promise.all(
      backends.map(async ({ url }) => {
        try {
          for (;;) {
            const cursor = this.cursors.get(url);
            const from = cursor === undefined ? '' : `&cursor=${cursor}`;
            const page = await get<RecentPage>(url, `/api/detections/recent?limit=1000${from}`);
            if (page.missed && cursor !== undefined) this.missed = true;
            for (const detection of page.items) this.count(detection);
            this.cursors.set(url, page.nextCursor);
            if (page.items.length < 1_000) return;
          }
        } catch {
          // The backend is unavailable, e.g. during a failover.
        }
      }),
    );
  }

  get duplicates(): number {
    return this.total - this.deliveries.size;
  }

  private count({ detectionId, subscriptionIdentifier }: RecentDetection): void {
    this.total++;
    this.deliveries.set(detectionId, (this.deliveries.get(detectionId) ?? 0) + 1);
    this.bySubscription.set(
      subscriptionIdentifier,
      (this.bySubscription.get(subscriptionIdentifier) ?? 0) + 1,
    );
  }
}
