import { addLeaderWork } from '../leader-work/leader-work.accessor.js';
import type { BoundEvent } from '../leader-work/leader-work.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/** A decorator that binds a method to an event of an election. */
export function onEvent(
  decorator: string,
  event: BoundEvent,
  { election }: LeaderWorkOptions,
): MethodDecorator {
  return (_target, _name, descriptor) =>
    addLeaderWork(descriptor.value as object, { kind: 'event', decorator, election, event });
}
