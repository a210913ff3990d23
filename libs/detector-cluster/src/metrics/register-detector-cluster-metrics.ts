import { oncePerRegistry } from '@detector-cluster/election/util';
import { register, type Registry } from 'prom-client';
import type { MasterSlaveWorkerCluster } from '../cluster/master-slave-worker-cluster.js';
import { ClusterMetrics } from './cluster-metrics.js';
import { measuredCluster } from './measured-cluster.js';

const metricsOf = oncePerRegistry(
  'detector_cluster_workers',
  (registry: Registry) => new ClusterMetrics(registry),
);

/**
 * Registers the metrics of a cluster, `detector_cluster_*`, with prom-client's default registry or another.
 * `DetectorClusterMetricsModule` does it at the right time.
 * @returns a function that ends it
 */
export function registerDetectorClusterMetrics(
  cluster: MasterSlaveWorkerCluster,
  registry: Registry = register,
): () => void {
  const metrics = metricsOf(registry);
  const measured = measuredCluster(cluster);
  metrics.add(measured);
  return () => metrics.remove(measured);
}
