import { DecoratedMethods, type DecoratedMethod } from './decorated-methods.js';

/** Options of every decorator for leader work. */
export interface LeaderWorkOptions {
  /** Name of the election, as given to `forFeature`. Default: the election of `forRoot`. */
  readonly election?: string;
}

/** Options of scheduled jobs. All durations in milliseconds. */
export interface MasterJobOptions extends LeaderWorkOptions {
  /** Identifies the job in the cluster. Must be the same in all processes and unique in its election. Default `Class.method`. */
  readonly name?: string;
  /** Skip a tick while a run is in progress in this process. Default true; for `@Cron` it is false. */
  readonly waitForCompletion?: boolean;
  /** Register the job stopped; `MasterJobRegistry.resume` starts it. Default false. */
  readonly disabled?: boolean;
  /** Skip a tick that is late by more than this. Default: no limit; a tick can start until the next one is due. */
  readonly threshold?: number;
  /** Start no tick for this time after the start of the application. Default 0. */
  readonly initialDelay?: number;
  /** If ticks were due while there was no master, start the last one late. Default false: all of them are skipped. */
  readonly catchUp?: boolean;
  /**
   * Abort the signal of a run after this time and stop waiting for it. The next tick starts even if the run has not ended.
   * Default: no limit; if a run never settles, this process starts no further ones.
   */
  readonly timeout?: number;
}

/** Options of `@MasterTimeout`. */
export type MasterTimeoutOptions = Pick<MasterJobOptions, 'election' | 'name' | 'disabled' | 'timeout'>;

/** Options of `@MasterCron`. They include those of `@Cron`. */
export interface MasterCronOptions extends MasterJobOptions {
  /** IANA name, e.g. `Europe/Berlin`. Default `UTC`, because all processes must agree on it. */
  readonly timeZone?: string;
  /** Offset of the expression from UTC in minutes; replaces `timeZone`. */
  readonly utcOffset?: number;
  /** Whether the process can exit while the timer of the job is pending. Default false. */
  readonly unrefTimeout?: boolean;
}

/** Events of an election that a method can be bound to by a decorator. */
export type BoundEvent =
  | 'master-acquired'
  | 'master-lost'
  | 'master-suspended'
  | 'master-resumed'
  | 'slave-registered'
  | 'slave-removed';

interface Decorated {
  /** Name as in the source, for messages: `@MasterCron`. */
  readonly decorator: string;
  /** Name of the election; `undefined` for that of `forRoot`. */
  readonly election: string | undefined;
}

/** A method that is called on an event. */
export interface EventWork extends Decorated {
  readonly kind: 'event';
  readonly event: BoundEvent;
}

/** A method that is called at the times of a cron expression. */
export interface CronWork extends Decorated {
  readonly kind: 'cron';
  readonly expression: string;
  readonly options: MasterCronOptions;
}

/** A method that is called periodically, or once per term. */
export interface TimerWork extends Decorated {
  readonly kind: 'interval' | 'timeout';
  /** Milliseconds. */
  readonly duration: number;
  readonly options: MasterJobOptions;
}

export type JobWork = CronWork | TimerWork;

/** Work that a decorator adds to a method. */
export type LeaderWork = EventWork | JobWork;

/** A method with a decorator for leader work. */
export type FoundWork = DecoratedMethod<LeaderWork>;

/** All methods with a decorator for leader work. */
export const LEADER_WORK = new DecoratedMethods<LeaderWork>();
