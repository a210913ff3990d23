import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/** Calls a method with a `SlaveNode`, on the master only: for each existing slave at the start of a tenure, then for each that joins. */
export function OnSlaveRegistered(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnSlaveRegistered', 'slave-registered', options);
}
