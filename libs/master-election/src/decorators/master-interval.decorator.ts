import { addLeaderWork } from '../leader-work/leader-work.accessor.js';
import type { MasterJobOptions } from './master-job-options.js';

/**
 * Calls a method with a `Lease` and a `MasterTick` whenever the time since 1970 is a multiple of `period` ms, on the
 * master only; otherwise as `@MasterCron`.
 */
export function MasterInterval(period: number, options: MasterJobOptions = {}): MethodDecorator {
  return (_target, _name, descriptor) =>
    addLeaderWork(descriptor.value as object, {
      kind: 'interval',
      decorator: '@MasterInterval',
      election: options.election,
      period,
      options,
    });
}
