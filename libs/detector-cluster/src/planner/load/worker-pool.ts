import { WorkerHeap } from './worker-heap.js';
import type { WorkerSlot } from './worker-slot.js';

/** The workers that a selector admits, ordered by load: all of them, and those that have a certain model loaded. */
export class WorkerPool {
  readonly all: WorkerHeap;
  /** Whether any of them has a model loaded. */
  readonly hasModels: boolean;
  private readonly byModel = new Map<number, WorkerHeap | null>();

  constructor(readonly members: readonly WorkerSlot[]) {
    this.all = new WorkerHeap(members);
    this.hasModels = members.some((slot) => slot.models.size > 0);
  }

  /** Null when no worker has the model loaded. */
  withModel(modelId: number): WorkerHeap | null {
    let heap = this.byModel.get(modelId);
    if (heap === undefined) {
      const slots = this.members.filter((slot) => slot.models.has(modelId));
      heap = slots.length === 0 ? null : new WorkerHeap(slots);
      this.byModel.set(modelId, heap);
    }
    return heap;
  }

  lowered(slot: WorkerSlot): void {
    this.all.lowered(slot);
    for (const heap of this.byModel.values()) heap?.lowered(slot);
  }
}
