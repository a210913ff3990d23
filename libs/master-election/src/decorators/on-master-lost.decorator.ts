import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/** Calls a method with `{ term, reason }` each time this process stops being master; the lease is invalid by then. */
export function OnMasterLost(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterLost', 'master-lost', options);
}
