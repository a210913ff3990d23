import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds. Whoever stands still for longer may not renew a lease, or read an answer, in time. */
const MATTERS = 250;

/** Watches whether this process stands still, as on a machine that is too busy; `end()` tells whether it did for so long that it matters. */
export function watchStandstill(): { end(): boolean } {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  return {
    end: () => {
      delays.disable();
      return delays.max / 1e6 > MATTERS;
    },
  };
}
