import { processorWait } from '@detector-cluster/dev-services';
import { roundTo } from './percentile.js';

/** Interval of the timer, which is what a figure may be too high by. Milliseconds. */
const TICK = 5;

export interface LongestBlock {
  /** The longest time in which the event loop ran no timer. */
  readonly delayMs: number;
  /** The longest of these times without the time in which the operating system ran other threads on this processor. */
  readonly blockMs: number;
}

/** Measures how long the event loop of this process is blocked. */
export class BlockWatch {
  private last = { at: 0, waited: 0 };
  private delayMs = 0;
  private blockMs = 0;
  private timer: NodeJS.Timeout | undefined;

  start(): void {
    this.last = { at: performance.now(), waited: waited() };
    this.timer = setInterval(() => {
      const now = { at: performance.now(), waited: waited() };
      const delay = now.at - this.last.at;
      this.delayMs = Math.max(this.delayMs, delay);
      this.blockMs = Math.max(this.blockMs, delay - (now.waited - this.last.waited));
      this.last = now;
    }, TICK).unref();
  }

  /** It takes some percent of a processor itself. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** The longest block since the last call. */
  take(): LongestBlock {
    const { blockMs, delayMs } = this;
    this.delayMs = 0;
    this.blockMs = 0;
    return { blockMs: roundTo(blockMs, 1), delayMs: roundTo(delayMs, 1) };
  }
}

/** 0 on systems other than Linux. */
const waited = (): number => processorWait('self') ?? 0;
