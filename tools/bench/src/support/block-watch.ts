import { processorTimes, stolenTime } from '@detector-cluster/dev-services';
import { roundTo } from './percentile.js';

/** Interval of the timer, which is what a figure may be too high by. Milliseconds. */
const TICK = 5;

export interface LongestBlock {
  /** The longest time in which the event loop ran no timer. */
  readonly delayMs: number;
  /** The longest of these times without the time in which the operating system, or the host of a virtual machine, ran others. */
  readonly blockMs: number;
}

/** Measures how long the event loop of this process is blocked. */
export class BlockWatch {
  private last!: Look;
  private stolen = 0;
  private delayMs = 0;
  private blockMs = 0;
  private timer: NodeJS.Timeout | undefined;

  start(): void {
    this.last = look();
    this.stolen = stolenTime();
    this.timer = setInterval(() => {
      const { last } = this;
      const now = look();
      const delay = now.at - last.at;
      this.delayMs = Math.max(this.delayMs, delay);
      // To ask for the stolen time costs more than a look.
      if (delay > this.blockMs) {
        const stolen = stolenTime();
        this.blockMs = Math.max(this.blockMs, blockOf(last, now, stolen - this.stolen));
        this.stolen = stolen;
      }
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

interface Look {
  readonly at: number;
  readonly ran: number;
  readonly waited: number;
}

/** On systems other than Linux, no time waited is known. */
const look = (): Look => ({ at: performance.now(), ...(processorTimes('self') ?? { ran: 0, waited: 0 }) });

/**
 * How long the thread blocked its event loop between two looks. A thread whose processor the host takes neither runs nor waits.
 * @param stolen what the host took from all processors, since the first look or before it. Milliseconds
 */
export function blockOf(first: Look, second: Look, stolen: number): number {
  const present = second.at - first.at - (second.waited - first.waited);
  const absent = Math.max(0, present - (second.ran - first.ran));
  return present - Math.min(stolen, absent);
}
