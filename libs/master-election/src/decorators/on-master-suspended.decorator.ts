import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/**
 * Calls a method with `{ term }` each time this process, as master, may not act for now, because its lease is not confirmed.
 * `@OnMasterResumed` or `@OnMasterLost` follows.
 */
export function OnMasterSuspended(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterSuspended', 'master-suspended', options);
}
