import { WorkerHeap } from './worker-heap.js';
import type { WorkerSlot } from './worker-slot.js';

/** The workers that a selector admits, ordered by load: all of them, and those that have a certain model loaded. */
export class WorkerPool {
  readonly all: WorkerHeap;
  private readonly byModel = new Map<number, WorkerHeap>();

  constructor(readonly members: readonly WorkerSlot[]) {
    this.all = new WorkerHeap(members);
  }

  withModel(modelId: number): WorkerHeap {
    let heap = this.byModel.get(modelId);
    if (heap === undefined) {
      heap = new WorkerHeap(this.members.filter((slot) => slot.models.has(modelId)));
      this.byModel.set(modelId, heap);
    }
    return heap;
  }

  lowered(slot: WorkerSlot): void {
    this.all.lowered(slot);
    for (const heap of this.byModel.values()) heap.lowered(slot);
  }
}
