import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds. A process that stands still for longer may fail to renew a lease, or to read an answer, in time. */
const MATTERS = 250;

/** Watches whether this process stands still, as on an overloaded machine. `end()` returns whether it did for longer than that. */
export function watchStandstill(matters = MATTERS): { end(): boolean } {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  return {
    end: () => {
      delays.disable();
      return delays.max / 1e6 > matters;
    },
  };
}
