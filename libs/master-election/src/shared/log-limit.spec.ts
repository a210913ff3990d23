import { VirtualClock } from '@detector-cluster/election/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { LogLimit } from './log-limit.js';

describe('LogLimit', () => {
  let clock: VirtualClock;
  let limit: LogLimit;
  beforeEach(() => {
    clock = new VirtualClock(0);
    limit = new LogLimit(30_000, clock);
  });

  it('lets each kind pass once, and again after the interval', () => {
    expect(['a', 'a', 'b', 'a'].map((kind) => limit.passes(kind))).toEqual([true, false, true, false]);
    clock.advance(29_999);
    expect(limit.passes('a')).toBe(false);
    clock.advance(1);
    expect([limit.passes('a'), limit.passes('a')]).toEqual([true, false]);
  });

  it('lets each kind pass after it was cleared, and says whether any had passed before', () => {
    expect(limit.clear()).toBe(false);
    limit.passes('a');
    expect([limit.clear(), limit.clear()]).toEqual([true, false]);
    expect(limit.passes('a')).toBe(true);
  });
});
