import type { WorkerObservation } from '@detector-cluster/placement/internal';
import type { StateReportMessage } from '@detector-cluster/worker-protocol';
import { MetricAverage, MAX_AGE } from './metric-average.js';

/** Percent; null if it is not reported, or no longer reported. */
export type Metrics = Pick<WorkerObservation, 'cpu' | 'memory' | 'gpu' | 'gpuMemory'>;

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
