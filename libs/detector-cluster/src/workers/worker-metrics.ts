import type { StateReportMessage } from '@detector-cluster/worker-protocol';

/** Percent; null if it is not reported, or no longer reported. */
export interface Metrics {
  readonly cpu: number | null;
  readonly memory: number | null;
  readonly gpu: number | null;
  readonly gpuMemory: number | null;
}

/** A worker's reported load, averaged for the planner: one busy second is no reason to move anything. */
export class WorkerMetrics {
  private readonly cpu = new MetricAverage();
  private readonly memory = new MetricAverage();
  private readonly gpu = new MetricAverage();
  private readonly gpuMemory = new MetricAverage();
  private shown: { readonly metrics: Metrics; readonly until: number } | null = null;
  /** When the last report came. */
  private addedAt = Number.NEGATIVE_INFINITY;

  /** @param at monotonic milliseconds */
  add({ cpuUsage, memoryUsage, gpuUsage, gpuMemoryUsage }: StateReportMessage, at: number): void {
    this.cpu.add(cpuUsage, at);
    this.memory.add(memoryUsage, at);
    this.gpu.add(gpuUsage, at);
    this.gpuMemory.add(gpuMemoryUsage, at);
    this.addedAt = at;
    this.shown = null;
  }

  /** The same object until a report comes or the last one is out of date. */
  at(now: number): Metrics {
    if (this.shown !== null && now <= this.shown.until) return this.shown.metrics;
    const metrics = {
      cpu: this.cpu.valueAt(now),
      memory: this.memory.valueAt(now),
      gpu: this.gpu.valueAt(now),
      gpuMemory: this.gpuMemory.valueAt(now),
    };
    const outOfDate = this.addedAt + MAX_AGE;
    this.shown = { metrics, until: now <= outOfDate ? outOfDate : Number.POSITIVE_INFINITY };
    return metrics;
  }
}

/** Time over which a metric is averaged, and after which a report is out of date. Milliseconds. */
const TIME_CONSTANT = 30_000;
const MAX_AGE = 6_000;

/**
 * The average of a metric over the last reports: exponential, with a time constant of 30 s. It is changed in place, because the
 * reports of a thousand workers would otherwise leave thousands of objects behind every second.
 */
export class MetricAverage {
  /** NaN: not reported. */
  private value = Number.NaN;
  private at = Number.NaN;

  /** @param value percent; a missing value ends the average */
  add(value: number | null | undefined, at: number): void {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      this.value = Number.NaN;
      return;
    }
    const isFirst = Number.isNaN(this.value) || at - this.at > MAX_AGE;
    const kept = isFirst ? 0 : Math.exp(-Math.max(0, at - this.at) / TIME_CONSTANT);
    this.value = isFirst ? value : this.value * kept + value * (1 - kept);
    this.at = at;
  }

  /** Null when no report came for 6 s. */
  valueAt(now: number): number | null {
    return Number.isNaN(this.value) || now - this.at > MAX_AGE ? null : this.value;
  }
}
