import type { Clock, TimerHandle } from '@detector-cluster/election';

interface Due {
  readonly at: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

/** A clock for many members: time jumps from one millisecond with something due to the next. */
export class SimulatedClock implements Clock {
  private time = 0;
  private orders = 0;
  private readonly heap: Due[] = [];

  now(): number {
    return this.time;
  }

  wallNow(): number {
    return 1_700_000_000_000 + this.time;
  }

  setTimeout(callback: () => void, delay: number): TimerHandle {
    const due = { at: this.time + Math.max(0, Math.ceil(delay)), order: ++this.orders, callback };
    this.push(due);
    return due;
  }

  clearTimeout(handle: TimerHandle): void {
    if (handle) (handle as Due).callback = undefined;
  }

  /** Lets time pass and promises settle. */
  async advance(duration: number): Promise<void> {
    const end = this.time + duration;
    await settle();
    while (this.heap[0] && this.heap[0].at <= end) {
      this.time = Math.max(this.time, this.heap[0].at);
      while (this.heap[0] && this.heap[0].at <= this.time) this.pop().callback?.();
      await settle();
    }
    this.time = end;
  }

  /** Lets time pass until `found` is true; returns how long that took. Throws after `within` ms. */
  async until(what: string, within: number, found: () => boolean): Promise<number> {
    const start = this.time;
    while (!found()) {
      if (this.time - start > within) throw new Error(`not within ${within} ms: ${what}`);
      await this.advance(10);
    }
    return this.time - start;
  }

  private push(due: Due): void {
    const { heap } = this;
    let i = heap.push(due) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (before(heap[parent]!, due)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = due;
  }

  private pop(): Due {
    const { heap } = this;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (before(last, heap[child]!)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return top;
  }
}

const before = (a: Due, b: Due) => a.at < b.at || (a.at === b.at && a.order < b.order);

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
