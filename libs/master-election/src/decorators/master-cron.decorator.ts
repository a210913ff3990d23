import { addLeaderWork } from '../leader-work/leader-work.accessor.js';
import type { MasterCronOptions } from './master-cron-options.js';

/**
 * Calls a method with a `Lease` and a `MasterTick` at the times of a cron expression (five fields, six with seconds in
 * front, or a `CronExpression` of `@nestjs/schedule`), on the master only. Each tick starts at most once in the cluster. A tick that is
 * due during a failover is skipped, or with `catchUp` starts late. A run that a failover interrupts is not repeated. The signal of the
 * lease aborts when the tenure or `timeout` ends. A graceful hand-over waits for the run as for `@OnMasterAcquired`.
 */
export function MasterCron(expression: string, options: MasterCronOptions = {}): MethodDecorator {
  return (_target, _name, descriptor) =>
    addLeaderWork(descriptor.value as object, {
      kind: 'cron',
      decorator: '@MasterCron',
      election: options.election,
      expression,
      options,
    });
}
