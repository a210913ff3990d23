import type { ReceiptList } from './receipts.js';

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

/** Calls of a process that takes detections. During a flood, it sends the number of detections taken to its parent. */
export interface SinkCalls {
  /** Begins a phase whose detections are numbered from `first` on. If `timed`, latencies are noted. */
  begin(first: number, timed: boolean): Promise<void>;
  /** Counts what has arrived in this phase. */
  count(): Promise<{ all: number; copies: number }>;
  received(): Promise<Received>;
  /** Processor time used so far, in microseconds. */
  cpu(): Promise<number>;
}
