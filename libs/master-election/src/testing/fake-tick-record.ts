import { type Clock, systemClock } from '@detector-cluster/election';
import type { TickRecord, TickStart, TickOutcome } from '../schedule/tick-record.js';

interface Job {
  tick: number;
  term: number;
  run: string;
}
/** The record of scheduled jobs in memory. */
export class FakeTickRecord implements TickRecord {
  private readonly jobs = new Map<string, Job>();

  /** @param clock Its wall clock decides when a tick is due. */
  constructor(private readonly clock: Pick<Clock, 'wallNow'> = systemClock) {}

  start(start: TickStart): ReturnType<TickRecord['start']> {
    return Promise.resolve({ outcome: this.outcomeOf(start), now: this.clock.wallNow() });
  }

  enter(job: string, term: number): ReturnType<TickRecord['enter']> {
    const now = this.clock.wallNow();
    const known = this.jobs.get(job) ?? { tick: now, term, run: '' };
    if (known.term > term) return Promise.resolve(null);
    this.jobs.set(job, { ...known, term });
    return Promise.resolve({ tick: known.tick, now });
  }

  private outcomeOf({ job, tick, term, run }: TickStart): TickOutcome {
    const known = this.jobs.get(job);
    if (known && known.term > term) return 'deposed';
    if (tick > this.clock.wallNow() + 1_000) return 'early';
    if (known && known.tick >= tick) return known.tick === tick && known.run === run ? 'started' : 'repeated';
    this.jobs.set(job, { tick, term, run });
    return 'started';
  }
}
