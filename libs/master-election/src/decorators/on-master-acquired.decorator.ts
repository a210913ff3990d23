import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/**
 * Calls a method with the `Lease` each time this process becomes master. A graceful hand-over waits, up to `handoverTimeout`,
 * until the returned promise settles; end the work when `lease.signal` aborts. A method that throws or rejects does not end
 * the tenure.
 */
export function OnMasterAcquired(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterAcquired', 'master-acquired', options);
}
