import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { countStatuses, masterOf, summarise } from './summary.js';

const process = (processId: string, more: Partial<ProcessRow> = {}) =>
  ({
    processId,
    role: 'follower',
    term: 1,
    detectionsPerSecond: 0,
    dropped: 0,
    lagMs: null,
    ...more,
  }) as ProcessRow;

describe('summarise', () => {
  it('counts processes, workers and subscriptions', () => {
    const worker = { state: 'Ready', standing: 'open', subscriptionCount: 1, excess: null };
    const subscriptions = { s: { status: 'active' }, t: { status: 'active' }, u: { status: 'failed' } };
    const view = {
      processes: {
        a: process('a', { dropped: 3, detectionsPerSecond: 1.5, lagMs: 3 }),
        b: process('b', { role: 'master', detectionsPerSecond: 2, lagMs: 9 }),
      },
      workers: {
        x: worker,
        y: { ...worker, state: 'Suspect' },
        z: { ...worker, standing: 'draining', excess: { dropped: 4 } },
      },
      skipped: { d: {} },
    };
    expect(summarise(view as never, countStatuses(subscriptions as never))).toEqual({
      master: expect.objectContaining({ processId: 'b' }),
      processes: 2,
      workers: 3,
      readyWorkers: 2,
      closedWorkers: 1,
      running: 3,
      subscriptions: 3,
      byStatus: { active: 2, pending: 0, failed: 1, recovering: 0 },
      skipped: 1,
      detectionsPerSecond: 3.5,
      dropped: 7,
      lagMs: 9,
    });
  });

  it('has no lag and no master in an empty cluster', () => {
    const summary = summarise({ processes: {}, workers: {}, skipped: {} }, countStatuses({}));
    expect(summary).toMatchObject({ master: null, lagMs: null, detectionsPerSecond: 0 });
  });
});

describe('masterOf', () => {
  it('takes the process with the highest term', () => {
    const old = process('old', { role: 'master', term: 6 });
    const present = process('new', { role: 'master', term: 7 });
    expect(masterOf([present, old])).toBe(present);
    expect(masterOf([old, present])).toBe(present);
  });
});
