import type { TickOutcome, TickRecord, TickStart } from '../schedule/tick-record.js';

/** The record of scheduled jobs in memory. */
export class FakeTickRecord implements TickRecord {
  private readonly ticks = new Map<string, number>();

  start({ job, tick }: TickStart): Promise<TickOutcome> {
    const last = this.ticks.get(job) ?? -Infinity;
    if (tick <= last) return Promise.resolve('repeated');
    this.ticks.set(job, tick);
    return Promise.resolve('started');
  }

  enter(job: string, now: number): Promise<number> {
    if (!this.ticks.has(job)) this.ticks.set(job, now);
    return Promise.resolve(this.ticks.get(job)!);
  }
}
