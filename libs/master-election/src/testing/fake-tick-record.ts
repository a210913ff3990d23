import type { TickOutcome, TickRecord, TickStart } from '../schedule/tick-record.js';

interface Job {
  tick: number;
  term: number;
  run: string;
}

/** The record of scheduled jobs in memory. */
export class FakeTickRecord implements TickRecord {
  private readonly jobs = new Map<string, Job>();

  start({ job, tick, term, run }: TickStart): Promise<TickOutcome> {
    const known = this.jobs.get(job);
    if (known && known.term > term) return Promise.resolve('deposed');
    if (known && known.tick >= tick)
      return Promise.resolve(known.tick === tick && known.run === run ? 'started' : 'repeated');
    this.jobs.set(job, { tick, term, run });
    return Promise.resolve('started');
  }

  enter(job: string, now: number, term: number): Promise<number | null> {
    const known = this.jobs.get(job) ?? { tick: now, term, run: '' };
    if (known.term > term) return Promise.resolve(null);
    this.jobs.set(job, { ...known, term });
    return Promise.resolve(known.tick);
  }
}
