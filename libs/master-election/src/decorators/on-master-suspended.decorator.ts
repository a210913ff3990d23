import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/**
 * Calls a method with `{ term }` each time this process is master but may not act, because the store has not confirmed its lease.
 * `@OnMasterResumed` or `@OnMasterLost` follows.
 */
export function OnMasterSuspended(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterSuspended', 'master-suspended', options);
}
