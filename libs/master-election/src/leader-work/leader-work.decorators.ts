import {
  LEADER_WORK,
  type BoundEvent,
  type LeaderWorkOptions,
  type MasterCronOptions,
  type MasterJobOptions,
  type MasterTimeoutOptions,
} from './leader-work.js';

/** A decorator that binds a method to an event of an election. */
const onEvent = (decorator: string, event: BoundEvent, { election }: LeaderWorkOptions) =>
  LEADER_WORK.add({ kind: 'event', decorator, election, event });

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

/**
 * Calls a method with a `Lease` and a `MasterTick` at the times of a cron expression (five fields, six with seconds in
 * front, or a `CronExpression` of `@nestjs/schedule`), on the master only. Each tick starts at most once in the cluster. A tick that is
 * due during a failover is skipped, or with `catchUp` starts late. A run that a failover interrupts is not repeated. The signal of the
 * lease aborts when the term or `timeout` ends. A graceful hand-over waits for the run as for `@OnMasterAcquired`.
 */
export function MasterCron(expression: string, options: MasterCronOptions = {}): MethodDecorator {
  const { election } = options;
  return LEADER_WORK.add({ kind: 'cron', decorator: '@MasterCron', election, expression, options });
}

/** The arguments of a decorator in the order of `@nestjs/schedule`, `(name, ms)`, or with options, `(ms, options)`. */
type JobArguments<Options extends MasterJobOptions> =
  [duration: number, options?: Options] | [name: string, duration: number, options?: Options];

function onTimer<Options extends MasterJobOptions>(
  kind: 'interval' | 'timeout',
  decorator: string,
  args: JobArguments<Options>,
): MethodDecorator {
  const named = typeof args[0] === 'string' ? args : [undefined, ...args];
  const [name, duration, given] = named as [name: string | undefined, duration: number, options?: Options];
  const options = { ...given, ...(name !== undefined && { name }) };
  return LEADER_WORK.add({ kind, decorator, election: options.election, duration, options });
}

/**
 * Calls a method with a `Lease` and a `MasterTick` whenever the time since 1970 is a multiple of the period in ms, on the
 * master only. In all other respects it works as `@MasterCron`. Called `(period, options)`, or as `@Interval`: `(name, period)`.
 */
export function MasterInterval(...args: JobArguments<MasterJobOptions>): MethodDecorator {
  return onTimer('interval', '@MasterInterval', args);
}

/**
 * Calls a method with a `Lease` and a `MasterTick` once in each term, the given time in ms after its process became master. Called
 * `(delay, options)`, or as `@Timeout`: `(name, delay)`.
 */
export function MasterTimeout(...args: JobArguments<MasterTimeoutOptions>): MethodDecorator {
  return onTimer('timeout', '@MasterTimeout', args);
}
