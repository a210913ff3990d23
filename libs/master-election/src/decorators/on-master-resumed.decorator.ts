import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/** Calls a method with `{ term }` each time this process may act as master again after `@OnMasterSuspended`, in the same term. */
export function OnMasterResumed(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterResumed', 'master-resumed', options);
}
