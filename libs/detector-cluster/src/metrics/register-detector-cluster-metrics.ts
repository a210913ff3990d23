import { register, type Registry } from 'prom-client';
import type { MasterSlaveWorkerCluster } from '../cluster/master-slave-worker-cluster.js';
import { measuredCluster } from './measured-cluster.js';
import { metricsOfRegistry } from './metrics-of-registry.js';

/**
 * Registers the metrics of a cluster, `detector_cluster_*`, with prom-client's default registry or another.
 * `DetectorClusterMetricsModule` does it at the right time.
 * @returns a function that ends it
 */
export function registerDetectorClusterMetrics(
  cluster: MasterSlaveWorkerCluster,
  registry: Registry = register,
): () => void {
  const metrics = metricsOfRegistry(registry);
  const measured = measuredCluster(cluster);
  metrics.add(measured);
  return () => metrics.remove(measured);
}
