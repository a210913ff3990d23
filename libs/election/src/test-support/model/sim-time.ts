interface SimEvent {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** The true time of a simulated world, in milliseconds, with its pending events. No simulated process can read it. */
export class SimTime {
  now = 0;
  private readonly heap: SimEvent[] = [];
  private orders = 0;

  /** Lets `run` happen after `delay`; events of the same moment happen in the order in which they were set. */
  after(delay: number, run: () => void): void {
    const event = { at: this.now + Math.max(0, delay), order: ++this.orders, run };
    const { heap } = this;
    let i = heap.push(event) - 1;
    for (let parent = (i - 1) >> 1; i > 0 && before(event, heap[parent]!); parent = (i - 1) >> 1) {
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = event;
  }

  /** Runs the next event up to `end`. Without one it advances the time to `end` and returns `false`. */
  step(end: number): boolean {
    const next = this.heap[0];
    if (!next || next.at > end) {
      this.now = Math.max(this.now, end);
      return false;
    }
    this.removeFirst();
    this.now = next.at;
    next.run();
    return true;
  }

  private removeFirst(): void {
    const { heap } = this;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
  }
}

const before = (a: SimEvent, b: SimEvent): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
