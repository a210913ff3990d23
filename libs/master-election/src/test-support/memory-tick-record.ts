import type { TickOutcome, TickRecord, TickStart } from '../schedule/tick-record.js';

interface Entry {
  tick: number;
  term: number;
  run: string;
}

/** A record for the processes of one test. */
export class MemoryTickRecord implements TickRecord {
  private readonly entries = new Map<string, Entry>();

  start({ job, tick, term, run }: TickStart): Promise<TickOutcome> {
    const entry = this.entries.get(job);
    if (entry && entry.term > term) return Promise.resolve('deposed');
    if (entry && entry.tick >= tick)
      return Promise.resolve(entry.tick === tick && entry.run === run ? 'started' : 'repeated');
    this.entries.set(job, { tick, term, run });
    return Promise.resolve('started');
  }

  enter(job: string, now: number, term: number): Promise<number | null> {
    const entry = this.entries.get(job) ?? { tick: now, term, run: '' };
    if (entry.term > term) return Promise.resolve(null);
    this.entries.set(job, { ...entry, term });
    return Promise.resolve(entry.tick);
  }
}
