import { setTimeout as pause } from 'node:timers/promises';

const STEP = 10;

/** A longer step means that this machine was paused or busy. That time does not count against the worker. */
const MAX_STEP = 100;

/** Counts time without that in which this process did not run. Milliseconds. */
export class PatientTimer {
  elapsed = 0;
  #last = performance.now();

  async step(): Promise<void> {
    await pause(STEP);
    const now = performance.now();
    this.elapsed += Math.min(now - this.#last, MAX_STEP);
    this.#last = now;
  }
}
