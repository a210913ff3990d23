import type { Registry } from 'prom-client';
import { ElectionMetrics } from './election-metrics.js';

const known = new WeakMap<Registry, ElectionMetrics>();

/** The metrics of a registry, created again if `registry.clear()` removed them. */
export function metricsOfRegistry(registry: Registry): ElectionMetrics {
  let metrics = known.get(registry);
  if (!metrics || !registry.getSingleMetric('master_election_role')) {
    metrics = new ElectionMetrics(registry);
    known.set(registry, metrics);
  }
  return metrics;
}
