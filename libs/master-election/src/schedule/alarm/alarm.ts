/** A job that waits for an alarm. */
export interface Sleeper {
  /** The alarm rang: a tick is due by the clock of this process. */
  rang(): void;
  /** The alarm was stopped or started. */
  changed(): void;
}

/** Wakes a scheduled job; its entry in the `SchedulerRegistry` of `@nestjs/schedule`. */
export interface Alarm {
  /** Whether it rings; false while an operator has stopped it. */
  readonly active: boolean;
  /** Wakes the sleeper, once or repeatedly, until the returned function is called. `due`: milliseconds since 1970. */
  expect(due: number, sleeper: Sleeper): () => void;
}

/** An alarm that can be stopped and started in this process. */
export interface JobAlarm extends Alarm {
  start(): void;
  stop(): void;
  /** Stops the alarm and removes it from the `SchedulerRegistry`. */
  remove(): void;
}
