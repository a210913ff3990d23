import { MAX_TIMER } from '@detector-cluster/election/internal';
import { ListedTimer, type ListedTimerOptions } from './listed-timer.js';

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

/** An interval or timeout in the `SchedulerRegistry`. Deleting the entry stops the alarm. */
export class TimerAlarm implements JobAlarm {
  private readonly timer: ListedTimer;
  private readonly sleepers = new Set<Sleeper>();

  /** @throws Error when the registry has an entry of this kind and key. */
  constructor(options: ListedTimerOptions) {
    this.timer = new ListedTimer(options);
    this.timer.list();
  }

  get active(): boolean {
    return this.timer.listed;
  }

  /** A timer for each tick: an interval of Node would drift from the times that all processes share. */
  expect(due: number, sleeper: Sleeper): () => void {
    this.sleepers.add(sleeper);
    const delay = Math.min(Math.max(0, due - Date.now()), MAX_TIMER);
    const cancel = this.timer.set(() => sleeper.rang(), delay);
    return () => {
      cancel();
      this.sleepers.delete(sleeper);
    };
  }

  start(): void {
    if (this.active) return;
    this.timer.list();
    this.changed();
  }

  stop(): void {
    if (!this.active) return;
    this.timer.unlist();
    this.changed();
  }

  remove(): void {
    this.stop();
  }

  private changed(): void {
    for (const sleeper of this.sleepers) sleeper.changed();
  }
}
