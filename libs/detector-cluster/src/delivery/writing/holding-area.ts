import { BoundedQueue } from './bounded-queue.js';
import type { BufferAdmission } from './buffer-admission.js';
import type { RoutedDetection } from '../router/routed-detection.js';
import type { RouterOptions } from '../router/router-options.js';

interface HeldDetection {
  readonly detection: RoutedDetection;
  readonly bytes: number;
}

/** Detections of workers that have no owner at this moment, in order. */
export class HoldingArea {
  private readonly queues = new Map<string, BoundedQueue<HeldDetection>>();

  constructor(
    private readonly options: RouterOptions,
    private readonly admission: BufferAdmission,
  ) {}

  hold(worker: string): BoundedQueue<HeldDetection> {
    let queue = this.queues.get(worker);
    if (queue === undefined) {
      queue = new BoundedQueue(this.options.maxBufferEntries, this.options.maxBufferBytes);
      this.queues.set(worker, queue);
    }
    return queue;
  }

  isHeld(worker: string): boolean {
    return this.queues.has(worker);
  }

  push(detection: RoutedDetection): void {
    const { workerUrl, frame } = detection;
    this.admission.push(this.hold(workerUrl), { detection, bytes: frame.length }, 0);
  }

  /** Ends the hold and returns what was held. */
  release(worker: string): RoutedDetection[] {
    const held = this.queues.get(worker)?.takeAll() ?? [];
    this.queues.delete(worker);
    return held.map(({ detection }) => detection);
  }

  /** Workers that are held. */
  workers(): string[] {
    return [...this.queues.keys()];
  }

  get length(): number {
    let length = 0;
    for (const queue of this.queues.values()) length += queue.length;
    return length;
  }
}
