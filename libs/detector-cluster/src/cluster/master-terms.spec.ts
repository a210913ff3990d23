import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NoticedOutage } from '../state/outage-records.js';
import type { MasterTerm } from './master-term.js';
import { MasterTerms } from './master-terms.js';

const START = Date.UTC(2026, 0, 1);

/** Seconds after the start. */
const outage = (from: number, to: number) => ({ since: START + from * 1_000, until: START + to * 1_000 });

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

describe('MasterTerms', () => {
  let reported: NoticedOutage[];
  let recorded: NoticedOutage[];
  let terms: MasterTerms;

  beforeEach(() => {
    vi.useFakeTimers({ now: START });
    reported = [];
    recorded = [];
    const election = { lease: null, getNodeId: () => 'a' };
    terms = new MasterTerms(election, (noticed) => reported.push(noticed));
  });
  afterEach(() => vi.useRealTimers());

  const begin = async (start = Promise.resolve()) => {
    terms.begin({
      start: () => start,
      abort: async () => undefined,
      recordOutage: (noticed: NoticedOutage) => recorded.push(noticed),
    } as unknown as MasterTerm);
    await pass(0);
  };

  it('record an outage of Redis in which this process stayed master', async () => {
    await begin();
    await pass(10);
    terms.outageEnded(outage(2, 10));
    expect([recorded, reported]).toEqual([[{ processId: 'a', ...outage(2, 10) }], []]);
  });

  it('report an outage that ended the term, although the next master may not have noticed it', async () => {
    await begin();
    await pass(3);
    terms.end(false);
    await pass(7);
    terms.outageEnded(outage(4, 10));
    expect([recorded, reported]).toEqual([[], [{ processId: 'a', ...outage(4, 10) }]]);
  });

  it('report no outage that this process had no part in as master', async () => {
    terms.outageEnded(outage(2, 10));
    await begin();
    recorded = [];
    terms.end(false);
    await pass(20);
    terms.outageEnded(outage(12, 20));
    expect([recorded, reported]).toEqual([[], []]);
  });

  it('record an outage after which this process became master, when it is ready', async () => {
    let ready!: () => void;
    terms.outageEnded(outage(-10, 0));
    await begin(new Promise((resolve) => (ready = resolve)));
    expect(recorded).toEqual([]);
    ready();
    await pass(0);
    expect([recorded, reported]).toEqual([[{ processId: 'a', ...outage(-10, 0) }], []]);
  });
});
