import type { PlanWorker, RejectionReason } from '../plan.types.js';
import { LoadModel, share } from './load-model.js';
import { hashString } from './rendezvous.js';

export const DEFAULT_CAPACITY = 100;
const MEMORY_LIMIT = 0.92;
/** Sums of fractional costs miss the exact limit by rounding. */
const ROUNDING = 1e-9;

/** A worker while a plan is made: what is allocated on it so far, and what that does to its load. */
export class WorkerSlot {
  readonly url: string;
  readonly hash: number;
  readonly capacity: number;
  /** Why it takes nothing new whatever the unit, or null. */
  readonly rejects: RejectionReason | null;
  readonly load: LoadModel;
  readonly models: ReadonlySet<number>;
  allocated = 0;

  constructor(
    readonly worker: PlanWorker,
    allocatedAtReport: number,
  ) {
    const { url, capacity = DEFAULT_CAPACITY } = worker;
    this.url = url;
    this.hash = hashString(url);
    this.capacity = Number.isFinite(capacity) && capacity > 0 ? capacity : 0;
    this.rejects = rejectionOf(worker);
    this.load = new LoadModel(worker, this.capacity, allocatedAtReport);
    this.models = new Set(worker.models);
  }

  get room(): number {
    return this.capacity - this.allocated + ROUNDING;
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

function rejectionOf(worker: PlanWorker): RejectionReason | null {
  if (worker.state !== 'Ready') return 'not-ready';
  if (worker.cordoned) return 'cordoned';
  // What is reported counts, not the projection: that would refuse units on a guess.
  if ((share(worker.memory) ?? 0) >= MEMORY_LIMIT) return 'memory';
  if ((share(worker.gpuMemory) ?? 0) >= MEMORY_LIMIT) return 'gpu-memory';
  return null;
}
