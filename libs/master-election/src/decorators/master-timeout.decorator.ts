import { addLeaderWork } from '../leader-work/leader-work.accessor.js';
import { readJobArguments, type JobArguments } from './job-arguments.js';
import type { MasterTimeoutOptions } from './master-job-options.js';

/**
 * Calls a method with a `Lease` and a `MasterTick` once in each tenure, the given time in ms after its process became master. Called
 * `(delay, options)`, or as `@Timeout`: `(name, delay)`.
 */
export function MasterTimeout(...args: JobArguments<MasterTimeoutOptions>): MethodDecorator {
  const { duration, options } = readJobArguments(args);
  return (_target, _name, descriptor) =>
    addLeaderWork(descriptor.value as object, {
      kind: 'timeout',
      decorator: '@MasterTimeout',
      election: options.election,
      duration,
      options,
    });
}
