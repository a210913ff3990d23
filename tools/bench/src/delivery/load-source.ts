import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../support/percentile.js';
import { sharedClock } from '../support/process-figures.js';

/** Receives the detections of a source. */
export interface Outlet {
  /** @param due milliseconds of the shared clock */
  send(n: number, due: number): void;
  /** Flushes sent detections. */
  flush(): void;
}

/** The result of a source in one phase. Milliseconds of the shared clock. */
export interface Sent {
  readonly count: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** How long the source waited because the window was full. */
  readonly heldUp: number;
  /** P99 of the time from the instant at which a detection was due until it was sent. */
  readonly lagP99: number;
}

/** How many detections are sent in one turn of the event loop. */
const BURST = 200;

/** Sends detections on schedule, or as many as the receiver accepts. */
export class LoadSource {
  private taken = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly clock: () => number = sharedClock) {}

  /** Call it with the number of detections that the receiver has taken since the phase began. */
  progress(taken: number): void {
    this.taken = taken;
    this.wake();
  }

  /** Detection `first + i` is due `i / perSecond` seconds after the start, even if earlier ones are late. */
  async steady(outlet: Outlet, first: number, perSecond: number, duration: number): Promise<Sent> {
    const count = Math.round((perSecond * duration) / 1_000);
    const startedAt = this.clock();
    const lags: number[] = [];
    for (let sent = 0; sent < count; await sleep(1)) {
      const now = this.clock();
      for (; sent < count; sent++) {
        const due = startedAt + (sent * 1_000) / perSecond;
        if (due > now) break;
        outlet.send(first + sent, due);
        lags.push(now - due);
      }
      outlet.flush();
    }
    return { count, startedAt, endedAt: this.clock(), heldUp: 0, lagP99: percentile(lags, 0.99) };
  }

  /** Keeps `window` detections in flight. Each is due when it is sent. */
  async flood(outlet: Outlet, first: number, window: number, duration: number): Promise<Sent> {
    this.taken = 0;
    const startedAt = this.clock();
    const over = new AbortController();
    setTimeout(() => {
      over.abort();
      this.wake();
    }, duration);
    let sent = 0;
    let heldUp = 0;
    // The timer alone ends the flood: it may fire before the clock shows the duration, and nothing else wakes a flood
    // that waits for room.
    while (!over.signal.aborted) {
      const now = this.clock();
      const room = Math.min(BURST, window - (sent - this.taken));
      if (room <= 0) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        heldUp += this.clock() - now;
        continue;
      }
      for (let i = 0; i < room; i++) outlet.send(first + sent++, now);
      outlet.flush();
      await turn();
    }
    return { count: sent, startedAt, endedAt: this.clock(), heldUp, lagP99: 0 };
  }
}
