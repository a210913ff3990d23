import type { Clock } from '@detector-cluster/election';
import { pause } from './pause.js';

/** The wall clock may be set while a timer runs, which counts another clock: it is looked at this often. Milliseconds. */
const LONGEST_SLEEP = 10_000;

/** Waits until the wall clock shows `time`, or until `signal` aborts. */
export async function sleepUntil(clock: Clock, time: number, signal: AbortSignal): Promise<void> {
  for (let left = time - clock.wallNow(); left > 0 && !signal.aborted; left = time - clock.wallNow())
    await pause(clock, Math.min(Math.ceil(left), LONGEST_SLEEP), signal);
}
