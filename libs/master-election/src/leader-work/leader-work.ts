import type { MasterCronOptions, MasterJobOptions } from '../decorators/leader-work-options.js';

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

/** A decorated method of an instance. */
export interface FoundWork {
  readonly work: LeaderWork;
  /** `Class.method`. */
  readonly label: string;
  /** Calls the method on its instance. */
  readonly invoke: (...args: unknown[]) => unknown;
}
