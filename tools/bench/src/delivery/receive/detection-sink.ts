import { tellParent } from '../../support/child-calls.js';
import { cpuTime } from '../../support/cpu-time.js';
import { sharedClock } from '../../support/shared-clock.js';
import { dueAtOf, numberOf, type BenchDetection } from '../load/detection-frames.js';
import { TAKEN_STEP } from '../load/workload.js';
import { Receipts } from './receipts.js';
import type { Received, SinkCalls } from './sink-calls.js';

/** The callbacks of one process. Notes which detections arrive, and when. */
export class DetectionSink implements SinkCalls {
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
    if (++this.counts.all % TAKEN_STEP === 0 && !this.timed) tellParent(this.counts.all);
  }

  takeCopy(detection: BenchDetection): void {
    this.copies.take(numberOf(detection));
    this.counts.copies++;
  }

  begin(first: number, timed: boolean): Promise<void> {
    this.all = new Receipts(first);
    this.copies = new Receipts(first);
    this.timed = timed;
    this.latencies = [];
    this.counts = { all: 0, copies: 0 };
    this.lastAt = 0;
    return Promise.resolve();
  }

  count(): Promise<{ all: number; copies: number }> {
    return Promise.resolve(this.counts);
  }

  received(): Promise<Received> {
    const { all, copies, latencies, lastAt } = this;
    return Promise.resolve({ all: all.list(), copies: copies.list(), latencies, lastAt });
  }

  cpu(): Promise<number> {
    return cpuTime();
  }
}

/** Returns the calls of a sink as functions that need no `this`. */
export function callsOf(sink: DetectionSink): SinkCalls {
  return {
    begin: (...args) => sink.begin(...args),
    count: () => sink.count(),
    received: () => sink.received(),
    cpu: () => sink.cpu(),
  };
}
