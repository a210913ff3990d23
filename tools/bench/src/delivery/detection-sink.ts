import type { ImageDetectionResponse } from '@detector-cluster/detector-cluster';
import { reportToParent } from '../support/child-calls.js';
import { sharedClock } from '../support/process-figures.js';
import { dueAtOf, numberOf, type BenchDetection } from './detection-frames.js';
import { TAKEN_STEP } from './workload.js';

/** Arrivals in a process during one phase. */
export interface Received {
  /** Numbers of detections at the global listener: each detection once in the cluster. */
  readonly all: readonly number[];
  /** At listeners for single subscriptions: each detection once in each process that listens. */
  readonly copies: readonly number[];
  /** From the instant at which each detection was due to the start of its callback; empty in a flood. Milliseconds. */
  readonly latencies: readonly number[];
  /** When the last detection arrived; 0 if none did. Milliseconds of the shared clock. */
  readonly lastAt: number;
}

/** What the parent may call of a process with a sink. During a flood, the sink sends its parent the number of detections taken. */
export type SinkCalls = DetectionSink['calls'];

export function detectionOf({ data }: Pick<ImageDetectionResponse, 'data'>): BenchDetection {
  return data.detection as unknown as BenchDetection;
}

/** The callbacks of one process. Notes which detections arrive, and when. */
export class DetectionSink {
  private all: number[] = [];
  private copies: number[] = [];
  private timed = false;
  private latencies: number[] = [];
  private lastAt = 0;

  readonly calls = {
    /** Begins a phase. If `timed`, latencies are noted. */
    begin: (timed: boolean): void => {
      this.all = [];
      this.copies = [];
      this.timed = timed;
      this.latencies = [];
      this.lastAt = 0;
    },
    /** Counts what has arrived in this phase. */
    count: () => ({ all: this.all.length, copies: this.copies.length }),
    received: (): Received => {
      const { all, copies, latencies, lastAt } = this;
      return { all, copies, latencies, lastAt };
    },
  };

  take(detection: BenchDetection): void {
    const now = sharedClock();
    this.lastAt = now;
    this.all.push(numberOf(detection));
    if (this.timed) this.latencies.push(now - dueAtOf(detection));
    else if (this.all.length % TAKEN_STEP === 0) reportToParent(this.all.length);
  }

  takeCopy(detection: BenchDetection): void {
    this.copies.push(numberOf(detection));
  }
}
