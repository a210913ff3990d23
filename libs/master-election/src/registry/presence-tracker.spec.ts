import { beforeEach, describe, expect, it } from 'vitest';
import { PresenceTracker } from './presence-tracker.js';

const present = { key: 'a', present: true, showsPresence: false };
const absent = { key: 'a', present: false, showsPresence: false };

describe('PresenceTracker', () => {
  let tracker: PresenceTracker;
  const looks = (from: number, to: number, ...members: (typeof present)[]) => {
    let dead: string[] = [];
    for (let now = from; now <= to; now += 500) dead = tracker.observe(now, members);
    return dead;
  };

  beforeEach(() => {
    tracker = new PresenceTracker({ absence: 3_000, maxGap: 2_000 });
  });

  it('declares a member dead after it was present and then absent for long enough', () => {
    looks(0, 1_000, present);
    expect(looks(1_500, 4_000, absent)).toEqual([]);
    expect(tracker.observe(4_500, [absent])).toEqual(['a']);
    expect(tracker.observe(5_000, [absent])).toEqual(['a']);
    expect(tracker.observe(5_500, [])).toEqual([]);
  });

  it('never declares a member dead that it has not seen present', () => {
    expect(looks(0, 60_000, absent)).toEqual([]);
  });

  it('declares a member dead that died before the first look, if it had reported its presence', () => {
    const died = { ...absent, showsPresence: true };
    expect(looks(0, 2_500, died)).toEqual([]);
    expect(tracker.observe(3_000, [died])).toEqual(['a']);
  });

  it('restarts the absence when a member is present again', () => {
    tracker.observe(0, [present]);
    looks(500, 3_000, absent);
    tracker.observe(3_250, [present]);
    expect(looks(3_500, 6_000, absent)).toEqual([]);
    expect(tracker.observe(6_500, [absent])).toEqual(['a']);
  });

  it('ignores absence during a hold, and before it', () => {
    tracker.observe(0, [present]);
    looks(500, 3_000, absent);
    tracker.hold(5_000);
    expect(looks(3_500, 7_500, absent)).toEqual([]);
    expect(looks(8_000, 8_000, absent)).toEqual(['a']);
  });

  it('ignores time in which it did not look', () => {
    tracker.observe(0, [present]);
    tracker.observe(500, [absent]);
    expect(tracker.observe(10_000, [absent])).toEqual([]);
    expect(looks(10_500, 13_000, absent)).toEqual(['a']);
  });

  it('forgets a member that left, even if it comes back', () => {
    tracker.observe(0, [present]);
    tracker.observe(500, []);
    expect(looks(1_000, 10_000, absent)).toEqual([]);
  });
});
