import { LONGEST_TIMER } from '@detector-cluster/election/internal';
import type { SchedulerRegistry } from '@nestjs/schedule';

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

interface TimerAlarmOptions {
  readonly registry: SchedulerRegistry;
  readonly kind: 'interval' | 'timeout';
  /** Key of the entry in the registry. */
  readonly key: string;
}

/**
 * An interval or timeout in the `SchedulerRegistry`. The entry is the timer of the next tick, because an interval of Node would drift
 * from the times that all processes share. Deleting the entry stops the alarm.
 */
export class TimerAlarm implements JobAlarm {
  private timer: NodeJS.Timeout = idleTimer();
  private readonly sleepers = new Set<Sleeper>();

  /** @throws Error when the registry has an entry of this kind and key. */
  constructor(private readonly options: TimerAlarmOptions) {
    this.register(this.timer);
  }

  get active(): boolean {
    const { registry, kind, key } = this.options;
    if (!registry.doesExist(kind, key)) return false;
    return (kind === 'interval' ? registry.getInterval(key) : registry.getTimeout(key)) === this.timer;
  }

  expect(due: number, sleeper: Sleeper): () => void {
    this.sleepers.add(sleeper);
    if (this.active) {
      const delay = Math.min(Math.max(0, due - Date.now()), LONGEST_TIMER);
      this.replace(setTimeout(() => sleeper.rang(), delay));
    }
    return () => {
      clearTimeout(this.timer);
      this.sleepers.delete(sleeper);
    };
  }

  start(): void {
    if (this.active) return;
    this.timer = idleTimer();
    this.register(this.timer);
    this.changed();
  }

  stop(): void {
    if (!this.active) return;
    this.unregister();
    this.changed();
  }

  remove(): void {
    this.stop();
  }

  private replace(timer: NodeJS.Timeout): void {
    this.unregister();
    this.timer = timer;
    this.register(timer);
  }

  private register(timer: NodeJS.Timeout): void {
    const { registry, kind, key } = this.options;
    if (kind === 'interval') registry.addInterval(key, timer);
    else registry.addTimeout(key, timer);
  }

  private unregister(): void {
    const { registry, kind, key } = this.options;
    if (kind === 'interval') registry.deleteInterval(key);
    else registry.deleteTimeout(key);
  }

  private changed(): void {
    for (const sleeper of this.sleepers) sleeper.changed();
  }
}

/** A timer that never fires. */
function idleTimer(): NodeJS.Timeout {
  const timer = setTimeout(() => undefined, 0);
  clearTimeout(timer);
  return timer;
}
