import { describe, expect, it } from 'vitest';
import type { HeldLease } from '../lease/lease-store.js';
import { AbsenceWatch } from './absence-watch.js';

const absent: HeldLease = {
  owner: 'a:1',
  term: 7,
  mode: 'presence',
  seq: '5',
  validity: 409,
  absent: true,
  ttl: 30_000,
};

describe('AbsenceWatch', () => {
  it('is due when the grace has passed since the first look, however many follow', () => {
    const watch = new AbsenceWatch(500);
    watch.observe(absent, 1_000);
    watch.observe(absent, 1_250);
    expect(watch.dueAt).toBe(1_500);
    expect(watch.due(1_499)).toBeUndefined();
    expect(watch.due(1_500)).toEqual(absent);
  });

  it('waits for as long as the leader says that it may act, whatever its own grace', () => {
    const watch = new AbsenceWatch(500);
    watch.observe({ ...absent, validity: 4_081 }, 1_000);
    expect(watch.dueAt).toBe(5_081);
    expect(watch.due(5_080)).toBeUndefined();
    // The leader shortened it, and so was confirmed.
    watch.observe({ ...absent, seq: '6' }, 2_000);
    expect(watch.dueAt).toBe(2_500);
  });

  it('waits for an hour when the leader does not say it', () => {
    const watch = new AbsenceWatch(500);
    watch.observe({ ...absent, validity: undefined }, 1_000);
    expect(watch.dueAt).toBe(3_601_000);
  });

  it.each([
    ['was confirmed', { seq: '6' }],
    ['was confirmed for longer', { seq: '6', validity: 450 }],
    ['has another term', { term: 8 }],
    ['is another one', { owner: 'b:1' }],
  ])('starts again when the leader %s', (_what, change) => {
    const watch = new AbsenceWatch(500);
    watch.observe(absent, 1_000);
    watch.observe({ ...absent, ...change }, 1_400);
    expect(watch.dueAt).toBe(1_900);
  });

  it.each([
    ['is seen again', { absent: false }],
    ['rests on time now', { mode: 'lease' as const }],
  ])('forgets a leader that %s', (_what, change) => {
    const watch = new AbsenceWatch(500);
    watch.observe(absent, 1_000);
    watch.observe({ ...absent, ...change }, 1_400);
    expect(watch.due(Infinity)).toBeUndefined();
    watch.observe(absent, 1_450);
    expect(watch.dueAt).toBe(1_950);
  });

  it('does not count absences while other processes may be reconnecting', () => {
    const watch = new AbsenceWatch(500);
    watch.observe(absent, 1_000);
    watch.ignoreUntil(3_000);
    watch.observe(absent, 2_999);
    expect(watch.dueAt).toBe(Infinity);
    watch.observe(absent, 3_000);
    expect(watch.dueAt).toBe(3_500);
  });

  it('counts later absences of a leader that has reconnected', () => {
    const watch = new AbsenceWatch(500);
    watch.ignoreUntil(3_000);
    watch.observe(absent, 1_000);
    watch.observe({ ...absent, absent: false }, 1_200);
    watch.observe(absent, 1_400);
    expect(watch.dueAt).toBe(1_900);
  });
});
