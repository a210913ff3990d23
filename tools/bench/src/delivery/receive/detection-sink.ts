import { reportToParent } from '../../support/child-calls.js';
import { cpuTime, sharedClock } from '../../support/process-figures.js';
import { dueAtOf, numberOf, type BenchDetection } from '../load/detection-frames.js';
import { TAKEN_STEP } from '../load/workload.js';
import { Receipts, type ReceiptList } from './receipts.js';

/** Arrivals in a process during one phase. */
export interface Received {
  /** At the global listener: each detection once in the cluster. */
  readonly all: ReceiptList;
  /** At listeners for single subscriptions: each detection once in each process that listens. */
  readonly copies: ReceiptList;
  /** From the instant at which each detection was due to the start of its callback; empty in a flood. Milliseconds. */
  readonly latencies: readonly number[];
  /** When the last detection arrived; 0 if none did. Milliseconds of the shared clock. */
  readonly lastAt: number;
}

/** What the parent may call of a process with a sink. During a flood, the sink sends its parent the number of detections taken. */
export type SinkCalls = Pick<DetectionSink, 'begin' | 'count' | 'received' | 'cpu'>;

/** The callbacks of one process. Notes which detections arrive, and when. */
export class DetectionSink {
  private all = new Receipts(0);
  private copies = new Receipts(0);
  private timed = false;
  private latencies: number[] = [];
  private counts = { all: 0, copies: 0 };
  private lastAt = 0;

  take(detection: BenchDetection): void {
    const now = sharedClock();
    this.lastAt = now;
    this.all.take(numberOf(detection));
    if (this.timed) this.latencies.push(now - dueAtOf(detection));
    if (++this.counts.all % TAKEN_STEP === 0 && !this.timed) reportToParent(this.counts.all);
  }

  takeCopy(detection: BenchDetection): void {
    this.copies.take(numberOf(detection));
    this.counts.copies++;
  }

  /** Begins a phase whose detections are numbered from `first` on. If `timed`, latencies are noted. */
  begin(first: number, timed: boolean): void {
    this.all = new Receipts(first);
    this.copies = new Receipts(first);
    this.timed = timed;
    this.latencies = [];
    this.counts = { all: 0, copies: 0 };
    this.lastAt = 0;
  }

  /** Counts what has arrived in this phase. */
  count(): { readonly all: number; readonly copies: number } {
    return this.counts;
  }

  received(): Received {
    const { all, copies, latencies, lastAt } = this;
    return { all: all.list(), copies: copies.list(), latencies, lastAt };
  }

  /** Processor time used so far, in microseconds. */
  cpu(): number {
    return cpuTime();
  }
}
