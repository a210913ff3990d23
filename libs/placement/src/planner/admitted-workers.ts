import type { WorkerSlot } from './worker-slot.js';
import { rendezvousRank } from './rendezvous.js';

/** The workers that a selector admits, ordered by load: all of them, and those that have a certain model loaded. */
export class AdmittedWorkers {
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

/** How many equally loaded workers the tie-break compares. */
const MAX_TIES = 8;
const NONE: ReadonlySet<WorkerSlot> = new Set();
/** A key computed for one cost is valid down to this share of that cost. */
const KEY_TOLERANCE = 0.95;

/**
 * Finds the worker whose load is least after one more unit, in O(log n). Several heaps share their workers without notifying
 * each other: while a plan is made, loads only rise, so a stored key is never above the true one, and a root with a current
 * key is the minimum.
 */
class WorkerHeap {
  private slots: WorkerSlot[] = [];
  private keys: number[] = [];
  /** The cost for which the keys are valid. */
  private keyCost = Number.NaN;
  /** Workers without room for the costs requested so far. */
  private full: WorkerSlot[] = [];
  private mostRoomOfFull = Number.NEGATIVE_INFINITY;
  private readonly evenSlopes: boolean;

  /** `members` in an order that does not depend on chance: it decides ties beyond the tie-break. */
  constructor(private readonly members: readonly WorkerSlot[]) {
    this.evenSlopes = members.every(({ load }) => load.slope === members[0]?.load.slope);
  }

  /** The best worker with room for `cost` that is not excluded, or null. Fast if few are excluded. */
  best(cost: number, unitHash: number, excluded: ReadonlySet<WorkerSlot> = NONE): WorkerSlot | null {
    this.prepare(cost);
    const aside: WorkerSlot[] = [];
    while (this.raise(cost) && excluded.has(this.slots[0]!)) {
      aside.push(this.slots[0]!);
      this.removeRoot();
    }
    const best = this.slots.length === 0 ? null : this.breakTie(cost, unitHash, excluded);
    for (const slot of aside) this.push(slot);
    return best;
  }

  /** Makes the least loaded worker with room the root. False if no worker has room. */
  private raise(cost: number): boolean {
    for (;;) {
      const root = this.slots[0];
      if (root === undefined) return false;
      const key = root.loadWith(this.keyCost);
      if (key > this.keys[0]!) {
        this.keys[0] = key;
        this.siftDown(0);
      } else if (root.room < cost) this.setRootAside();
      else return true;
    }
  }

  /** The worker's load has fallen, contrary to the rule. */
  lowered(slot: WorkerSlot): void {
    const i = this.slots.indexOf(slot);
    if (i >= 0) this.siftUp(i, slot, slot.loadWith(this.keyCost));
    else if (this.full.includes(slot)) this.mostRoomOfFull = Math.max(this.mostRoomOfFull, slot.room);
  }

  private prepare(cost: number): void {
    const fits = cost <= this.keyCost && cost >= this.keyCost * KEY_TOLERANCE;
    if (Number.isNaN(this.keyCost) || (!fits && !this.evenSlopes)) this.rebuild(cost);
    else if (cost <= this.mostRoomOfFull) {
      const back = this.full.filter((slot) => slot.room >= cost);
      this.full = this.full.filter((slot) => slot.room < cost);
      this.mostRoomOfFull = Math.max(Number.NEGATIVE_INFINITY, ...this.full.map((slot) => slot.room));
      for (const slot of back) this.push(slot);
    }
  }

  private rebuild(cost: number): void {
    this.keyCost = cost;
    this.full = [];
    this.mostRoomOfFull = Number.NEGATIVE_INFINITY;
    this.slots = [...this.members];
    this.keys = this.slots.map((slot) => slot.loadWith(cost));
    for (let i = (this.slots.length >> 1) - 1; i >= 0; i--) this.siftDown(i);
  }

  /** Entries with the root's key are connected to it. Stale ones are skipped and updated later. */
  private breakTie(cost: number, unitHash: number, excluded: ReadonlySet<WorkerSlot>): WorkerSlot {
    let best = this.slots[0]!;
    const key = this.keys[0]!;
    if (this.keys[1] !== key && this.keys[2] !== key) return best;
    let bestRank = rendezvousRank(unitHash, best.hash);
    const open = [1, 2];
    for (let seen = 1; open.length > 0 && seen < MAX_TIES;) {
      const i = open.pop()!;
      if (this.keys[i] !== key) continue;
      seen += 1;
      open.push(2 * i + 1, 2 * i + 2);
      const slot = this.slots[i]!;
      if (slot.loadWith(this.keyCost) !== key || slot.room < cost || excluded.has(slot)) continue;
      const rank = rendezvousRank(unitHash, slot.hash);
      if (rank > bestRank || (rank === bestRank && slot.url < best.url)) [best, bestRank] = [slot, rank];
    }
    return best;
  }

  private setRootAside(): void {
    const root = this.slots[0]!;
    this.full.push(root);
    this.mostRoomOfFull = Math.max(this.mostRoomOfFull, root.room);
    this.removeRoot();
  }

  private removeRoot(): void {
    const slot = this.slots.pop()!;
    const key = this.keys.pop()!;
    if (this.slots.length === 0) return;
    this.slots[0] = slot;
    this.keys[0] = key;
    this.siftDown(0);
  }

  private push(slot: WorkerSlot): void {
    this.slots.push(slot);
    this.keys.push(0);
    this.siftUp(this.slots.length - 1, slot, slot.loadWith(this.keyCost));
  }

  private siftUp(from: number, slot: WorkerSlot, key: number): void {
    const { slots, keys } = this;
    let i = from;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (keys[parent]! <= key) break;
      slots[i] = slots[parent]!;
      keys[i] = keys[parent]!;
      i = parent;
    }
    slots[i] = slot;
    keys[i] = key;
  }

  private siftDown(from: number): void {
    const { slots, keys } = this;
    const slot = slots[from]!;
    const key = keys[from]!;
    let i = from;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= keys.length) break;
      if (child + 1 < keys.length && keys[child + 1]! < keys[child]!) child += 1;
      if (keys[child]! >= key) break;
      slots[i] = slots[child]!;
      keys[i] = keys[child]!;
      i = child;
    }
    slots[i] = slot;
    keys[i] = key;
  }
}
