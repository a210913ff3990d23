import { addLeaderWork } from '../leader-work/leader-work.accessor.js';
import type { MasterCronOptions, MasterJobOptions, MasterTimeoutOptions } from './leader-work-options.js';

/**
 * Calls a method with a `Lease` and a `MasterTick` at the times of a cron expression (five fields, six with seconds in
 * front, or a `CronExpression` of `@nestjs/schedule`), on the master only. Each tick starts at most once in the cluster. A tick that is
 * due during a failover is skipped, or with `catchUp` starts late. A run that a failover interrupts is not repeated. The signal of the
 * lease aborts when the term or `timeout` ends. A graceful hand-over waits for the run as for `@OnMasterAcquired`.
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

/** The arguments of a decorator in the order of `@nestjs/schedule`, `(name, ms)`, or with options, `(ms, options)`. */
type JobArguments<Options extends MasterJobOptions> =
  [duration: number, options?: Options] | [name: string, duration: number, options?: Options];

function readJobArguments<Options extends MasterJobOptions>(
  args: JobArguments<Options>,
): { duration: number; options: Options } {
  if (typeof args[0] === 'string') {
    const [name, duration, options] = args as [string, number, Options?];
    return { duration, options: { ...options, name } as Options };
  }
  const [duration, options] = args as [number, Options?];
  return { duration, options: options ?? ({} as Options) };
}

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

/**
 * Calls a method with a `Lease` and a `MasterTick` once in each term, the given time in ms after its process became master. Called
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
