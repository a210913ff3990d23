import type { PlanWorker, RejectionReason } from './plan.types.js';
import { LoadModel, share } from './load-model.js';
import { hashString } from './rendezvous.js';

export const DEFAULT_CAPACITY = 100;
const MEMORY_LIMIT = 0.92;
/** Sums of fractional costs miss the exact limit by rounding. */
export const ROUNDING = 1e-9;

/** A worker while a plan is made: its allocation so far, and the resulting load. */
export class WorkerSlot {
  readonly url: string;
  readonly hash: number;
  readonly capacity: number;
  /** Why the worker takes no new unit at all. */
  readonly rejections: readonly RejectionReason[];
  /** The first reason, or null. */
  readonly rejects: RejectionReason | null;
  readonly load: LoadModel;
  readonly models: ReadonlySet<number>;
  /** Cost of the units that run here by the plan. */
  allocated = 0;
  /** Cost of the units that keep running here until they run elsewhere. */
  leaving = 0;
  /** Moves to this worker that are under way, or begin with this plan, while the unit still runs elsewhere. */
  arrivals = 0;

  constructor(
    readonly worker: PlanWorker,
    allocatedAtReport: number,
  ) {
    const { url, capacity = DEFAULT_CAPACITY } = worker;
    this.url = url;
    this.hash = hashString(url);
    this.capacity = Number.isFinite(capacity) && capacity > 0 ? capacity : 0;
    this.rejections = rejectionsOf(worker);
    this.rejects = this.rejections[0] ?? null;
    this.load = new LoadModel(worker, this.capacity, allocatedAtReport);
    this.models = new Set(worker.models);
  }

  /** What can be added at once. */
  get room(): number {
    return this.capacity - this.allocated - this.leaving + ROUNDING;
  }

  /** What can be added once the leaving units have stopped. */
  get finalRoom(): number {
    return this.capacity - this.allocated + ROUNDING;
  }

  get draining(): boolean {
    return this.worker.drainSince !== undefined;
  }

  get excess(): number {
    return this.allocated - this.capacity - ROUNDING;
  }

  /** Whether it could hold a unit of this cost if it were empty. */
  couldHold(cost: number): boolean {
    return cost <= this.capacity + ROUNDING;
  }

  loadWith(cost: number): number {
    return this.load.at(this.allocated + cost);
  }

  matches(selector: Readonly<Record<string, string>> | undefined): boolean {
    if (selector === undefined) return true;
    const labels = this.worker.labels ?? {};
    return Object.entries(selector).every(
      ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
    );
  }
}

function rejectionsOf(worker: PlanWorker): RejectionReason[] {
  const reasons: RejectionReason[] = [];
  if (worker.state !== 'Ready') reasons.push('not-ready');
  if (worker.cordoned) reasons.push('cordoned');
  if (worker.drainSince !== undefined) reasons.push('draining');
  // The reported value counts, because the projection is only an estimate.
  if ((share(worker.memory) ?? 0) >= MEMORY_LIMIT) reasons.push('memory');
  if ((share(worker.gpuMemory) ?? 0) >= MEMORY_LIMIT) reasons.push('gpu-memory');
  return reasons;
}
