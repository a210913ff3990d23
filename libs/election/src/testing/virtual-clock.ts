import type { Clock, TimerHandle } from '../util/clock.js';

interface VirtualTimer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A {@link Clock} that advances only when a test moves it. */
export class VirtualClock implements Clock {
  private readonly timers = new Map<number, VirtualTimer>();
  private wallOffset = 1_700_000_000_000;
  private orders = 0;

  constructor(private time = 0) {}

  now(): number {
    return this.time;
  }

  wallNow(): number {
    return this.time + this.wallOffset;
  }

  setTimeout(callback: () => void, delay: number): TimerHandle {
    const order = ++this.orders;
    this.timers.set(order, { at: this.time + Math.max(0, delay), order, callback });
    return order;
  }

  clearTimeout(handle: TimerHandle): void {
    this.timers.delete(handle as number);
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.timers.size;
  }

  /** Lets time pass; due timers fire in order, each at its own time. */
  advance(duration: number): void {
    const end = this.time + duration;
    for (let next = this.nextBefore(end); next; next = this.nextBefore(end)) {
      this.time = Math.max(this.time, next.at);
      this.timers.delete(next.order);
      next.callback();
    }
    this.time = end;
  }

  /** Lets time pass as in a frozen process or a blocked event loop: no timer fires until {@link advance} is called. */
  freeze(duration: number): void {
    this.time += duration;
  }

  /** Sets the wall clock forward or back, which the monotonic clock does not see. */
  stepWall(by: number): void {
    this.wallOffset += by;
  }

  private nextBefore(end: number): VirtualTimer | undefined {
    let next: VirtualTimer | undefined;
    for (const timer of this.timers.values())
      if (
        timer.at <= end &&
        (!next || timer.at < next.at || (timer.at === next.at && timer.order < next.order))
      )
        next = timer;
    return next;
  }
}
