import type { StateReportMessage } from '@detector-cluster/worker-protocol';
import { averageWith, currentMetric, type MetricAverage } from '../planner/load/metric-average.js';

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
