import type { StateReportMessage } from '@detector-cluster/worker-protocol';

const METRICS = {
  cpu: 'cpuUsage',
  memory: 'memoryUsage',
  gpu: 'gpuUsage',
  gpuMemory: 'gpuMemoryUsage',
} as const;

type Metric = keyof typeof METRICS;

/** A worker's reported load, averaged for the planner: one busy second is no reason to move anything. */
export class WorkerMetrics {
  private averages: Record<Metric, MetricAverage | null> = {
    cpu: null,
    memory: null,
    gpu: null,
    gpuMemory: null,
  };

  /** @param at monotonic milliseconds */
  add(report: StateReportMessage, at: number): void {
    this.averages = mapMetrics((metric, field) => averageWith(this.averages[metric], report[field], at));
  }

  /** Percent; null for what is not reported, or not any more. */
  at(now: number): Record<Metric, number | null> {
    return mapMetrics((metric) => currentMetric(this.averages[metric], now));
  }
}

function mapMetrics<T>(value: (metric: Metric, field: (typeof METRICS)[Metric]) => T): Record<Metric, T> {
  return {
    cpu: value('cpu', METRICS.cpu),
    memory: value('memory', METRICS.memory),
    gpu: value('gpu', METRICS.gpu),
    gpuMemory: value('gpuMemory', METRICS.gpuMemory),
  };
}

/** Time over which a metric is averaged, and after which a report is out of date. Milliseconds. */
const TIME_CONSTANT = 30_000;
const MAX_AGE = 6_000;

/** A metric averaged over the last reports; `at` is when the last one came, on any clock. */
export interface MetricAverage {
  readonly value: number;
  readonly at: number;
}

/** The average after a report that came at `at`: exponential, with a time constant of 30 s. A missing value ends it. */
export function averageWith(
  previous: MetricAverage | null,
  value: number | null | undefined,
  at: number,
): MetricAverage | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  if (previous === null || at - previous.at > MAX_AGE) return { value, at };
  const kept = Math.exp(-Math.max(0, at - previous.at) / TIME_CONSTANT);
  return { value: previous.value * kept + value * (1 - kept), at };
}

/** The value for the planner at `now`: null when no report came for 6 s. */
export function currentMetric(average: MetricAverage | null, now: number): number | null {
  return average === null || now - average.at > MAX_AGE ? null : average.value;
}
