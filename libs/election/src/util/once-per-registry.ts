/** The part of a `Registry` of prom-client that is used. */
interface MetricRegistry {
  getSingleMetric(name: string): unknown;
}

/** Returns the metrics of a registry, made at the first call, and again after `registry.clear()` has removed the metric `name`. */
export function oncePerRegistry<Registry extends MetricRegistry, Metrics>(
  name: string,
  make: (registry: Registry) => Metrics,
): (registry: Registry) => Metrics {
  const known = new WeakMap<Registry, Metrics>();
  return (registry) => {
    let metrics = known.get(registry);
    if (metrics === undefined || !registry.getSingleMetric(name)) {
      metrics = make(registry);
      known.set(registry, metrics);
    }
    return metrics;
  };
}
