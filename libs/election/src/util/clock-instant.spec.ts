import { describe, expect, it } from 'vitest';
import { deadlineAfter, instantOf } from './clock.js';
import { VirtualClock } from '../testing/virtual-clock.js';

describe('deadlineAfter', () => {
  it('counts from the start, however late it is asked', () => {
    const clock = new VirtualClock(1_000);
    const start = instantOf(clock);
    clock.advance(400);
    expect(deadlineAfter(start, 500, clock)).toBe(1_500);
  });

  it('counts a jump of the wall clock as passed time', () => {
    const clock = new VirtualClock(1_000);
    const start = instantOf(clock);
    clock.advance(100);
    clock.stepWall(300);
    expect(deadlineAfter(start, 500, clock)).toBe(1_200);
  });

  it('does not give time back when the wall clock is set back', () => {
    const clock = new VirtualClock(1_000);
    const start = instantOf(clock);
    clock.stepWall(-10_000);
    expect(deadlineAfter(start, 500, clock)).toBe(1_500);
  });
});
