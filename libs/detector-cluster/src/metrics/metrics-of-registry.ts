import type { Registry } from 'prom-client';
import { ClusterMetrics } from './cluster-metrics.js';

const known = new WeakMap<Registry, ClusterMetrics>();

/** The metrics of a registry. Registers them again after `registry.clear()`. */
export function metricsOfRegistry(registry: Registry): ClusterMetrics {
  let metrics = known.get(registry);
  if (!metrics || !registry.getSingleMetric('detector_cluster_workers')) {
    metrics = new ClusterMetrics(registry);
    known.set(registry, metrics);
  }
  return metrics;
}
