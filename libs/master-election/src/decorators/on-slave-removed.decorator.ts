import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/** Calls a method with the node id of a slave that left, expired or died; on the master only. */
export function OnSlaveRemoved(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnSlaveRemoved', 'slave-removed', options);
}
