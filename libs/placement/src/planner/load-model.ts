import type { PlanWorker, ReportedMetric, WorkerScore } from './plan.types.js';

const METRICS = ['cpu', 'memory', 'gpu', 'gpuMemory'] as const satisfies readonly ReportedMetric[];
type Weights = Readonly<Record<'allocation' | ReportedMetric, number>>;

const WEIGHTS: Weights = { allocation: 0.4, cpu: 0.35, memory: 0.25, gpu: 0, gpuMemory: 0 };
const WEIGHTS_WITH_GPU: Weights = { allocation: 0.4, cpu: 0.2, memory: 0.1, gpu: 0.2, gpuMemory: 0.1 };

/** A metric as a share in [0,1]; null when it is not known. */
export function share(percent: number | null | undefined): number | null {
  if (typeof percent !== 'number' || Number.isNaN(percent)) return null;
  return Math.min(1, Math.max(0, percent / 100));
}

interface Term {
  readonly metric: ReportedMetric;
  readonly weight: number;
  readonly reported: number;
  /** Expected rise per unit of cost. */
  readonly rise: number;
}

/**
 * A worker's load as a linear function of the cost allocated on it, so the effect of one more unit is known without asking
 * the worker. Every dimension is a share in [0,1] before it is weighted. A dimension that is not reported is left out, and
 * the other weights are scaled up.
 *
 * The reported dimensions are projected: the model assumes that the next unit of cost uses as much as the previous ones,
 * bounded to 0.2 to 5 times the even share. Otherwise all placements of one round would go to the workers whose metrics are
 * low at its start.
 */
export class LoadModel {
  readonly slope: number;
  private readonly intercept: number;
  private readonly allocationWeight: number;
  private readonly terms: readonly Term[];

  constructor(
    worker: PlanWorker,
    private readonly capacity: number,
    /** Cost allocated on the worker when it reported. */
    private readonly allocatedAtReport: number,
  ) {
    const hasGpu = share(worker.gpu) !== null || share(worker.gpuMemory) !== null;
    const weights = hasGpu ? WEIGHTS_WITH_GPU : WEIGHTS;
    const known = METRICS.flatMap((metric) => {
      const reported = share(worker[metric]);
      return reported === null || weights[metric] === 0 ? [] : [{ metric, reported }];
    });
    const total = known.reduce((sum, { metric }) => sum + weights[metric], weights.allocation);

    this.allocationWeight = weights.allocation / total;
    this.terms = known.map(({ metric, reported }) => ({
      metric,
      reported,
      weight: weights[metric] / total,
      rise: this.riseOf(reported, share(worker.idle?.[metric]) ?? 0),
    }));
    const perCost = capacity > 0 ? 1 / capacity : 0;
    this.slope = this.terms.reduce((sum, t) => sum + t.weight * t.rise, this.allocationWeight * perCost);
    this.intercept = this.terms.reduce(
      (sum, t) => sum + t.weight * (t.reported - t.rise * allocatedAtReport),
      capacity > 0 ? 0 : this.allocationWeight,
    );
  }

  /** Lower is better. */
  at(allocated: number): number {
    return this.intercept + this.slope * allocated;
  }

  components(allocated: number): WorkerScore['components'] {
    const components: Record<string, number | null> = {
      allocation: this.capacity > 0 ? allocated / this.capacity : 1,
      cpu: null,
      memory: null,
      gpu: null,
      gpuMemory: null,
    };
    for (const { metric, reported, rise } of this.terms)
      components[metric] = Math.max(0, reported + rise * (allocated - this.allocatedAtReport));
    return components as WorkerScore['components'];
  }

  private riseOf(reported: number, idle: number): number {
    if (this.capacity <= 0) return 0;
    if (this.allocatedAtReport <= 0) return 1 / this.capacity;
    const seen = (reported - idle) / this.allocatedAtReport;
    return Math.min(5 / this.capacity, Math.max(0.2 / this.capacity, seen));
  }
}
