import { readFileSync } from 'node:fs';
import type { Stall } from './journal-line.js';

const LOOK_EVERY = 100;
/** Milliseconds. */
const SHORTEST = 100;

/** Reports when the event loop was blocked, and how long it had no processor. This separates a slow machine from a slow program. */
export function watchStalls(report: (stall: Stall) => void): void {
  let last = { at: performance.now(), waited: waitedForProcessor() };
  setInterval(() => {
    const current = { at: performance.now(), waited: waitedForProcessor() };
    const ms = Math.round(current.at - last.at - LOOK_EVERY);
    if (ms > SHORTEST)
      report({ process: process.pid, at: Date.now(), ms, waited: Math.round(current.waited - last.waited) });
    last = current;
  }, LOOK_EVERY).unref();
}

/** Wait of the main thread, in milliseconds. 0 if the kernel does not report it. */
function waitedForProcessor(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
