import { addLeaderWork } from '../leader-work/leader-work.accessor.js';
import { readJobArguments, type JobArguments } from './job-arguments.js';
import type { MasterJobOptions } from './master-job-options.js';

/**
 * Calls a method with a `Lease` and a `MasterTick` whenever the time since 1970 is a multiple of the period in ms, on the
 * master only. In all other respects it works as `@MasterCron`. Called `(period, options)`, or as `@Interval`: `(name, period)`.
 */
export function MasterInterval(...args: JobArguments<MasterJobOptions>): MethodDecorator {
  const { duration, options } = readJobArguments(args);
  return (_target, _name, descriptor) =>
    addLeaderWork(descriptor.value as object, {
      kind: 'interval',
      decorator: '@MasterInterval',
      election: options.election,
      duration,
      options,
    });
}
