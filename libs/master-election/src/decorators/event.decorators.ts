import { addLeaderWork } from '../leader-work/leader-work.accessor.js';
import type { BoundEvent } from '../leader-work/leader-work.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/** A decorator that binds a method to an event of an election. */
function onEvent(decorator: string, event: BoundEvent, { election }: LeaderWorkOptions): MethodDecorator {
  return (_target, _name, descriptor) =>
    addLeaderWork(descriptor.value as object, { kind: 'event', decorator, election, event });
}

/**
 * Calls a method with the `Lease` each time this process becomes master. A graceful hand-over waits, up to `handoverTimeout`,
 * until the returned promise settles; end the work when `lease.signal` aborts. A method that throws or rejects does not end
 * the term.
 */
export function OnMasterAcquired(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterAcquired', 'master-acquired', options);
}

/** Calls a method with `{ term, reason }` each time this process stops being master; the lease is invalid by then. */
export function OnMasterLost(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterLost', 'master-lost', options);
}

/**
 * Calls a method with `{ term }` each time this process is master but may not act, because the store has not confirmed its lease.
 * `@OnMasterResumed` or `@OnMasterLost` follows.
 */
export function OnMasterSuspended(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterSuspended', 'master-suspended', options);
}

/** Calls a method with `{ term }` each time this process may act as master again after `@OnMasterSuspended`, in the same term. */
export function OnMasterResumed(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnMasterResumed', 'master-resumed', options);
}

/** Calls a method with a `SlaveNode`, on the master only: for each existing slave at the start of a term, then for each that joins. */
export function OnSlaveRegistered(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnSlaveRegistered', 'slave-registered', options);
}

/** Calls a method with the node id of a slave that left, expired or died; on the master only. */
export function OnSlaveRemoved(options: LeaderWorkOptions = {}): MethodDecorator {
  return onEvent('@OnSlaveRemoved', 'slave-removed', options);
}
