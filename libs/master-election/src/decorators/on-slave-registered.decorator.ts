import { onEvent } from './on-event.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/** Calls a method with a `SlaveNode`, on the master only: on becoming master for each slave that is there, then for each that joins. */
export function OnSlaveRegistered(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnSlaveRegistered', 'slave-registered', options);
}
