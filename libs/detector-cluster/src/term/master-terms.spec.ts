import type { MasterElection, MasterElectionStatus } from '@detector-cluster/master-election';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { untilCollected } from '../../../../test/support/until-collected.js';
import type { NoticedOutage } from '../operators/outage-records.js';
import type { MasterTerm } from './master-term.js';
import { MasterTerms } from './master-terms.js';

const START = Date.UTC(2026, 0, 1);

/** Seconds after the start. */
const outage = (from: number, to: number) => ({ since: START + from * 1_000, until: START + to * 1_000 });

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

interface Term {
  isLoaded: boolean;
  number: number;
  connections: number;
  buffered: number;
  readonly calls: string[];
  close: () => Promise<unknown>;
}

/** No process leads. */
const followed = { role: 'slave', mayAct: false, leaderId: null, storeFailingFor: null, term: 0 };

describe('MasterTerms', () => {
  let reported: NoticedOutage[];
  let recorded: NoticedOutage[];
  let status: {
    role: string;
    mayAct: boolean;
    leaderId: string | null;
    storeFailingFor: number | null;
    term: number;
  };
  let lease: MasterElection['lease'];
  let terms: MasterTerms;

  beforeEach(() => {
    vi.useFakeTimers({ now: START });
    reported = [];
    recorded = [];
    status = { ...followed };
    lease = null;
    terms = new MasterTerms({
      election: {
        get lease() {
          return lease;
        },
        getNodeId: () => 'a',
        getStatus: () => status as MasterElectionStatus,
      },
      adoptionTimeout: 5_000,
      report: (noticed) => reported.push(noticed),
    });
  });
  afterEach(() => vi.useRealTimers());

  const begin = async (number = 1, start = Promise.resolve()): Promise<Term> => {
    const calls: string[] = [];
    const term = {
      isLoaded: false,
      number,
      connections: 0,
      buffered: 0,
      calls,
      start: () => {
        calls.push('start');
        return start;
      },
      retire: (graceful: boolean) => calls.push(graceful ? 'hand over' : 'retire'),
      close: async () => void calls.push('close'),
      replaced: (worker: string) => calls.push(`replaced ${worker}`),
      recordOutage: (noticed: NoticedOutage) => recorded.push(noticed),
    };
    terms.begin(term as unknown as MasterTerm);
    await pass(0);
    return term;
  };

  /** A term that has ended without a successor, and holds connections. */
  const retired = async (connections = 2): Promise<Term> => {
    const term = await begin();
    term.connections = connections;
    terms.end(false);
    return term;
  };

  it('know the workers from when they connect to them, and answer once they have loaded what is wanted', async () => {
    let isValid = true;
    lease = { isValid: () => isValid } as typeof lease;
    let connect!: () => void;
    const term = await begin(1, new Promise((resolve) => (connect = resolve)));
    expect([terms.observer, terms.controls]).toEqual([null, null]);
    connect();
    await pass(0);
    expect([terms.observer, terms.controls]).toEqual([term, null]);
    term.isLoaded = true;
    expect([terms.observer, terms.controls]).toEqual([term, term]);
    isValid = false;
    expect([terms.observer, terms.controls]).toEqual([null, null]);
    isValid = true;
    terms.end(false);
    expect([terms.observer, terms.controls]).toEqual([null, null]);
  });

  it('keep the connections of a term for as long as no process leads', async () => {
    const term = await retired();
    await pass(3_600);
    expect(term.calls).toEqual(['start', 'retire']);
    expect(terms.retiredConnections).toBe(2);
  });

  it('keep them while the former leader is all that the store shows', async () => {
    const term = await retired();
    Object.assign(status, { leaderId: 'a:1', term: 1 });
    await pass(60);
    expect(term.calls).not.toContain('close');
  });

  it('keep them while the store does not say whether the later master still leads', async () => {
    const term = await retired();
    Object.assign(status, { leaderId: 'b:1', term: 2 });
    await pass(4);
    status.storeFailingFor = 0;
    await pass(60);
    status.storeFailingFor = null;
    await pass(4);
    expect(term.calls).not.toContain('close');
  });

  it('close them when a later master has led for long enough to have its own', async () => {
    const term = await retired();
    Object.assign(status, { leaderId: 'b:1', term: 2 });
    await pass(4.9);
    expect(term.calls).not.toContain('close');
    await pass(0.5);
    expect(term.calls).toContain('close');
    expect(terms.retiredConnections).toBe(0);
  });

  it('count the time of each later master from its own beginning', async () => {
    const term = await retired();
    for (const [leaderId, later] of [
      ['b:1', 2],
      ['c:1', 3],
    ] as const) {
      Object.assign(status, { leaderId, term: later });
      await pass(3);
    }
    expect(term.calls).not.toContain('close');
  });

  it('close them when this process leads again, worker by worker or after the same time', async () => {
    const term = await retired();
    Object.assign(status, { role: 'master', mayAct: true, leaderId: 'a:2', term: 2 });
    await begin(2);
    terms.connected('ws://w');
    expect(term.calls).toContain('replaced ws://w');
    await pass(5.5);
    expect(term.calls).toContain('close');
  });

  it('keep the connections of several terms if none led for long', async () => {
    const first = await retired();
    const second = await begin(2);
    second.connections = 1;
    terms.end(false);
    await pass(60);
    expect([first.calls.at(-1), second.calls.at(-1)]).toEqual(['retire', 'retire']);
    expect(terms.retiredConnections).toBe(3);
  });

  it('close a term whose workers have closed all connections when Redis has taken what it had buffered', async () => {
    const term = await retired();
    term.buffered = 5;
    term.connections = 0;
    await pass(60);
    expect(terms.buffered).toBe(5);
    term.buffered = 0;
    await pass(1);
    expect(term.calls.at(-1)).toBe('close');
  });

  it('begin a term when Redis has taken what the former one had buffered, at the latest after 2 s', async () => {
    const first = await retired();
    first.buffered = 5;
    const second = await begin(2);
    await pass(1);
    expect(second.calls).toEqual([]);
    first.buffered = 0;
    await pass(0.1);
    expect(second.calls).toEqual(['start']);
    terms.end(false);
    first.buffered = 5;
    const third = await begin(3);
    await pass(2.1);
    expect(third.calls).toEqual(['start']);
  });

  it('hand over and close all within 2 s when the process stops', async () => {
    const first = await retired();
    const second = await begin(2);
    second.connections = 1;
    const closed = terms.close();
    await pass(1.9);
    expect([first.calls.at(-1), second.calls.at(-1)]).toEqual(['retire', 'hand over']);
    await pass(0.2);
    await closed;
    expect([first.calls.at(-1), second.calls.at(-1)]).toEqual(['close', 'close']);
  });

  it('keep nothing of a term that is closed, also if it ends before it is ready', async () => {
    const left: WeakRef<object>[] = [];
    const beginAndEnd = async (start?: Promise<void>) => {
      const term = await begin(1, start);
      term.close = () => {
        const result = { detections: [] };
        left.push(new WeakRef(result));
        return Promise.resolve(result);
      };
      left.push(new WeakRef(term));
      terms.end(false);
    };
    let ready!: () => void;
    await beginAndEnd();
    await beginAndEnd(new Promise((resolve) => (ready = resolve)));
    ready();
    vi.useRealTimers();
    await untilCollected(...left);
  });

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
    await begin(1, new Promise((resolve) => (ready = resolve)));
    expect(recorded).toEqual([]);
    ready();
    await pass(0);
    expect([recorded, reported]).toEqual([[{ processId: 'a', ...outage(-10, 0) }], []]);
  });
});
