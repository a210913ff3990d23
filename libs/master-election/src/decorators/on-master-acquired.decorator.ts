import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/**
 * Calls a method with the `Lease` each time this process becomes master. Until the promise that it returns is settled a
 * graceful hand-over waits, up to `handoverTimeout`: end when `lease.signal` aborts. A method that throws or rejects does
 * not end the tenure.
 */
export function OnMasterAcquired(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterAcquired', 'master-acquired', options);
}
