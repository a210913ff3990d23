import type { Clock, TimerHandle } from '@detector-cluster/election';

/** Fires once if it was not restarted for a random time. */
export class ElectionTimer {
  private handle: TimerHandle | undefined;

  constructor(
    private readonly options: {
      readonly electionTimeoutMinMs: number;
      readonly electionTimeoutMaxMs: number;
      readonly heartbeatIntervalMs: number;
      readonly clock: Clock;
      readonly random: () => number;
    },
    private readonly elapsed: () => void,
  ) {}

  /** Waits for a random time between the two bounds. */
  restart(): void {
    const { electionTimeoutMinMs, electionTimeoutMaxMs } = this.options;
    this.wait(electionTimeoutMinMs, electionTimeoutMaxMs);
  }

  /** Called when no node leads. Waits just long enough that not all nodes elect themselves at the same moment. */
  hurry(): void {
    this.wait(0, this.options.heartbeatIntervalMs / 2);
  }

  stop(): void {
    this.options.clock.clearTimeout(this.handle);
    this.handle = undefined;
  }

  private wait(min: number, max: number): void {
    this.stop();
    const { clock, random, heartbeatIntervalMs } = this.options;
    const delay = Math.round(min + random() * (max - min));
    const due = clock.now() + delay;
    this.handle = clock.setTimeout(() => {
      this.handle = undefined;
      // The process was frozen or busy: heartbeats that arrived in the meantime are still unread.
      if (clock.now() - due > heartbeatIntervalMs) this.wait(heartbeatIntervalMs, 2 * heartbeatIntervalMs);
      else this.elapsed();
    }, delay);
  }
}
