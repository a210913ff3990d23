import type { Clock } from '../../util/clock.js';
import type { SimTime } from './sim-time.js';

interface ModelTimer {
  readonly callback: () => void;
  set: boolean;
}

/**
 * A process as its event loop sees the world: its own clock, which runs slightly fast or slow, timers, and input. While the
 * process is frozen, only its clock advances. After it was killed, nothing happens.
 */
export class ModelProcess implements Clock {
  private state: 'running' | 'frozen' | 'dead' = 'running';
  private wallOffset = 1_700_000_000_000;
  private waitingTimers: ModelTimer[] = [];
  private waitingInput: (() => void)[] = [];
  private readonly timers = new Set<ModelTimer>();

  /**
   * @param rate How many of its milliseconds are one in the world.
   * @param ran Called when code of the process has run.
   */
  constructor(
    private readonly time: SimTime,
    private readonly rate: number,
    private readonly offset: number,
    private readonly ran: () => void,
  ) {}

  now(): number {
    return this.time.now * this.rate + this.offset;
  }

  wallNow(): number {
    return this.now() + this.wallOffset;
  }

  /** The moment in the world when {@link now} is `local`. */
  worldTime(local: number): number {
    return (local - this.offset) / this.rate;
  }

  setTimeout(callback: () => void, delay: number): ModelTimer {
    const timer: ModelTimer = { callback, set: true };
    this.timers.add(timer);
    // As with Node, a timer never fires early.
    this.time.after(Math.max(1, delay) / this.rate + 1e-6, () => this.due(timer));
    return timer;
  }

  clearTimeout(handle: unknown): void {
    const timer = handle as ModelTimer | undefined;
    if (!timer) return;
    timer.set = false;
    this.timers.delete(timer);
  }

  get alive(): boolean {
    return this.state !== 'dead';
  }

  get running(): boolean {
    return this.state === 'running';
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.timers.size;
  }

  /** Something arrives for the process. */
  input(handle: () => void): void {
    if (this.state === 'frozen') this.waitingInput.push(handle);
    else if (this.state === 'running') {
      handle();
      this.ran();
    }
  }

  stepWall(by: number): void {
    this.wallOffset += by;
  }

  freeze(): void {
    if (this.state === 'running') this.state = 'frozen';
  }

  /** Runs all waiting timers and input at once, timers or input first. */
  thaw(timersFirst: boolean): void {
    if (this.state !== 'frozen') return;
    this.state = 'running';
    const timers = this.waitingTimers.splice(0).map((timer) => () => this.due(timer));
    const input = this.waitingInput.splice(0).map((handle) => () => this.input(handle));
    for (const event of timersFirst ? [...timers, ...input] : [...input, ...timers])
      this.time.after(0, event);
  }

  kill(): void {
    this.state = 'dead';
    this.timers.clear();
  }

  private due(timer: ModelTimer): void {
    if (!timer.set || this.state === 'dead') return;
    if (this.state === 'frozen') {
      this.waitingTimers.push(timer);
      return;
    }
    this.clearTimeout(timer);
    timer.callback();
    this.ran();
  }
}
