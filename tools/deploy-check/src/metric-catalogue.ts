import type { Registry } from 'prom-client';

/** The labels of a time series, and the observed values of each. */
export interface KnownMetric {
  readonly labels: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Every time series of a process, by its name in Prometheus. */
export type MetricCatalogue = ReadonlyMap<string, KnownMetric>;

/** Labels that Prometheus adds: those of the scrape, and those that distinguish clusters in docs/operations.md. */
export const TARGET_LABELS: ReadonlySet<string> = new Set(['job', 'instance', 'namespace', 'cluster']);

const TYPES_WITH_PARTS: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};
const PART_LABELS: Readonly<Record<string, string>> = { _bucket: 'le', '': 'quantile' };

/** The time series of a registry with their current label values. */
export async function catalogueOf(
  registry: Pick<Registry, 'getMetricsAsJSON' | 'getSingleMetric'>,
): Promise<MetricCatalogue> {
  const catalogue = new Map<string, KnownMetric>([['up', { labels: new Set(), values: new Map() }]]);
  for (const { name, type, values } of await registry.getMetricsAsJSON()) {
    const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: readonly string[] };
    const seen = new Map(
      labelNames.map((label) => [
        label,
        new Set(values.map(({ labels }) => String((labels as Record<string, unknown>)[label]))),
      ]),
    );
    const parts = TYPES_WITH_PARTS[String(type)];
    for (const part of parts ?? ['']) {
      const own = parts === undefined ? undefined : PART_LABELS[part];
      const labels = new Set([...labelNames, ...(own === undefined ? [] : [own])]);
      catalogue.set(`${name}${part}`, { labels, values: seen });
    }
  }
  return catalogue;
}
