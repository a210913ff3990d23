import { describe, expect, it } from 'vitest';
import { PassAgenda } from './pass-agenda.js';

const NEVER = Number.POSITIVE_INFINITY;
const none: ReadonlyMap<string, number> = new Map();

function begun(due: ReadonlyMap<string, number> = none, wholeAt = NEVER): PassAgenda {
  const agenda = new PassAgenda(NEVER);
  agenda.take(0);
  agenda.tookAll(new Map(due), wholeAt, { began: 0, ended: 0, settling: false });
  return agenda;
}

describe('PassAgenda', () => {
  it('begins with everything', () => {
    expect(new PassAgenda(NEVER).take(0).whole).toBe(true);
    expect(begun().take(0)).toEqual({ whole: false, subscriptions: new Set(), streams: [] });
  });

  it('collects what has changed, once', () => {
    const agenda = begun();
    agenda.addSubscriptions(['d1;c1', 'd2;c2']);
    agenda.addSubscriptions(['d1;c1']);
    agenda.addStreams('ws://a', ['d3;c3']);
    expect(agenda.take(1)).toEqual({
      whole: false,
      subscriptions: new Set(['d1;c1', 'd2;c2']),
      streams: [{ workerUrl: 'ws://a', subscriptionIdentifier: 'd3;c3' }],
    });
    expect(agenda.take(2)).toEqual({ whole: false, subscriptions: new Set(), streams: [] });
  });

  it('keeps due subscriptions until a pass has looked at them, and wakes for them', () => {
    const agenda = begun(
      new Map([
        ['d1;c1', 10],
        ['d2;c2', 20],
      ]),
      100,
    );
    expect(agenda.wakeAt).toBe(10);
    expect([...agenda.take(9).subscriptions]).toEqual([]);
    expect([...agenda.take(10).subscriptions]).toEqual(['d1;c1']);
    agenda.tookSome(['d1;c1'], new Map([['d1;c1', 50]]));
    expect(agenda.wakeAt).toBe(20);
    expect([...agenda.take(20).subscriptions]).toEqual(['d2;c2']);
    agenda.tookSome(['d2;c2'], none);
    expect(agenda.wakeAt).toBe(50);
    agenda.tookSome(['d3;c3'], new Map([['d3;c3', 30]]));
    expect(agenda.wakeAt).toBe(30);
    expect([...agenda.take(50).subscriptions].sort()).toEqual(['d1;c1', 'd3;c3']);
  });

  it('takes everything if that is due or requested, or after very many changes', () => {
    expect(begun(none, 100).take(99).whole).toBe(false);
    expect(begun(none, 100).take(100).whole).toBe(true);
    const asked = begun();
    asked.addAll();
    expect([asked.take(1).whole, asked.take(1).whole]).toEqual([true, false]);
    const many = begun();
    many.addSubscriptions(Array.from({ length: 600 }, (_, i) => `d${i};c`));
    many.addStreams(
      'ws://a',
      Array.from({ length: 401 }, (_, i) => `e${i};c`),
    );
    expect(many.take(1).whole).toBe(true);
    expect(begun().wakeAt).toBe(NEVER);
  });

  it('stops a search for due subscriptions that finds very many, and takes everything', () => {
    let seen = 0;
    class CountedMap extends Map<string, number> {
      override *[Symbol.iterator](): MapIterator<[string, number]> {
        for (const entry of this.entries()) {
          seen++;
          yield entry;
        }
      }
    }
    const agenda = new PassAgenda(NEVER);
    agenda.take(0);
    const due = new CountedMap();
    for (let i = 0; i < 50_000; i++) due.set(`d${i};c${i}`, 10);
    agenda.tookAll(due, NEVER, { began: 0, ended: 5, settling: false });
    expect(agenda.wakeAt).toBe(10);
    expect(agenda.take(10)).toEqual({ whole: true, subscriptions: new Set(), streams: [] });
    expect(seen).toBeLessThan(2_000);
  });

  it('pauses after a full pass for as long as it took, and still takes what has changed', () => {
    const agenda = new PassAgenda(NEVER);
    agenda.take(0);
    agenda.tookAll(new Map(), NEVER, { began: 0, ended: 200, settling: false });
    agenda.addAll();
    agenda.addSubscriptions(['d1;c1']);
    expect(agenda.take(300)).toEqual({ whole: false, subscriptions: new Set(['d1;c1']), streams: [] });
    expect(agenda.wakeAt).toBe(400);
    expect(agenda.mayTakeAll(399)).toBe(false);
    expect(agenda.take(400).whole).toBe(true);
    agenda.tookAll(new Map(), NEVER, { began: 400, ended: 5_400, settling: false });
    agenda.addStreams(
      'ws://a',
      Array.from({ length: 1_001 }, (_, i) => `e${i};c`),
    );
    expect(agenda.take(6_000)).toEqual({ whole: false, subscriptions: new Set(), streams: [] });
    expect(agenda.wakeAt).toBe(6_400);
    expect(agenda.take(6_400).whole).toBe(true);
  });

  it('rests longer while the master has not heard all workers, and not at all once it has', () => {
    const agenda = new PassAgenda(NEVER);
    agenda.take(0);
    agenda.tookAll(new Map(), 0, { began: 0, ended: 200, settling: true });
    expect(agenda.wakeAt).toBe(1_000);
    expect(agenda.take(999).whole).toBe(false);
    expect(agenda.take(1_000).whole).toBe(true);
    agenda.tookAll(new Map(), 0, { began: 1_000, ended: 4_000, settling: true });
    expect(agenda.wakeAt).toBe(6_000);
    agenda.endRest();
    expect(agenda.take(4_001).whole).toBe(true);
  });

  it('hands out small changes while a pass over everything is decided, and leaves many to the next pass', () => {
    const agenda = begun();
    expect(agenda.takeBetween()).toBeNull();
    agenda.addAll();
    agenda.addSubscriptions(['d1;c1']);
    agenda.addStreams('ws://a', ['d2;c2']);
    expect(agenda.takeBetween()).toEqual({
      whole: false,
      subscriptions: new Set(['d1;c1']),
      streams: [{ workerUrl: 'ws://a', subscriptionIdentifier: 'd2;c2' }],
    });
    expect(agenda.takeBetween()).toBeNull();
    agenda.addSubscriptions(Array.from({ length: 1_001 }, (_, i) => `d${i};c`));
    expect(agenda.takeBetween()).toBeNull();
    expect(agenda.take(1).whole).toBe(true);
  });

  it.each([
    { took: 0, next: 30_000 },
    { took: 300, next: 30_000 },
    { took: 1_000, next: 100_000 },
    { took: 10_000, next: 300_000 },
  ])('looks at everything again $next ms after the second pass that took $took ms', ({ took, next }) => {
    const agenda = new PassAgenda(30_000);
    agenda.take(0);
    agenda.tookAll(new Map(), NEVER, { began: 0, ended: took, settling: false });
    // One may have waited for a server.
    expect(agenda.take(took + 30_000 - 1).whole).toBe(false);
    expect(agenda.take(took + 30_000).whole).toBe(true);
    const ended = 2 * took + 30_000;
    agenda.tookAll(new Map(), NEVER, { began: ended - took, ended, settling: false });
    expect(agenda.take(ended + next - 1).whole).toBe(false);
    expect(agenda.take(ended + next).whole).toBe(true);
  });

  it('looks at everything when there is a reason, however long it takes', () => {
    const agenda = new PassAgenda(30_000);
    agenda.take(0);
    agenda.tookAll(new Map(), 15_000, { began: 0, ended: 10_000, settling: false });
    expect(agenda.take(14_999).whole).toBe(false);
    expect(agenda.take(15_000).whole).toBe(true);
  });

  it('has only the load looked at while everything is at rest, and looks at everything after 5 min', () => {
    const agenda = new PassAgenda(30_000);
    agenda.take(0);
    agenda.tookAll(new Map(), NEVER, { began: 0, ended: 0, settling: false, atRest: true });
    expect([agenda.isCheckDue(29_999), agenda.isCheckDue(30_000), agenda.wakeAt]).toEqual([
      false,
      true,
      30_000,
    ]);
    agenda.checked(30_000);
    expect([agenda.take(30_000).whole, agenda.wakeAt]).toEqual([false, 60_000]);
    agenda.addAll();
    expect(agenda.isCheckDue(60_000)).toBe(false);
    expect(agenda.take(60_000).whole).toBe(true);
    agenda.tookAll(new Map(), NEVER, { began: 60_000, ended: 60_000, settling: false, atRest: true });
    agenda.checked(359_999);
    expect([agenda.take(359_999).whole, agenda.take(360_000).whole]).toEqual([false, true]);
    agenda.tookAll(new Map(), NEVER, { began: 0, ended: 0, settling: false });
    expect(agenda.isCheckDue(1_000_000)).toBe(false);
  });
});
