import type { MasterSlaveWorkerCluster } from '../cluster/master-slave-worker-cluster.js';
import type { DeliveryStats, RouterStats, RouterCounters } from '../delivery/delivery-stats.js';
import { ClusterFactsReader, type ClusterFacts } from '../state/cluster-facts.js';
import type { ReconcileFigures } from '../state/reconcile-figures.js';

/** What the metrics read when they are scraped. Nothing here rejects. */
export interface MeasuredCluster {
  readonly figures: ReconcileFigures;
  readonly delivery: () => Promise<DeliveryStats>;
  /** What this process has sent as master, over all its terms. */
  readonly sent: Readonly<RouterCounters>;
  /** On the master, else null: so that a sum over all processes counts everything once. */
  readonly router: () => RouterStats | null;
  /** On the master and while Redis answers, else null. */
  readonly facts: () => Promise<ClusterFacts | null>;
}

export function measuredCluster(cluster: MasterSlaveWorkerCluster): MeasuredCluster {
  const facts = new ClusterFactsReader(cluster.redis, cluster.keys);
  let delivery: Promise<DeliveryStats> | null = null;
  return {
    figures: cluster.figures,
    sent: cluster.sent,
    // A scrape asks once per metric.
    delivery: () =>
      (delivery ??= cluster.deliveryStats().finally(() => {
        delivery = null;
      })),
    router: () => cluster.routerStats(),
    facts: async () => (cluster.election.getIsMaster() ? facts.read().catch(() => null) : null),
  };
}
