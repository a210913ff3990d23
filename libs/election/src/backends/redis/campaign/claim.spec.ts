import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../testing/virtual-clock.js';
import { instantOf } from '../../../util/clock.js';
import { Claim } from './claim.js';

const times = { lockTtl: 30_000, validity: { presence: 400, lease: 29_700 } };

describe('Claim', () => {
  it('counts from the sending, and keeps the later deadline when answers overtake each other', () => {
    const clock = new VirtualClock(1_000);
    const claim = new Claim('a:1', 7, times, clock);
    const first = instantOf(clock);
    clock.advance(100);
    const second = instantOf(clock);
    clock.advance(250);
    claim.confirm(second, { mode: 'presence', seen: true });
    claim.confirm(first, { mode: 'presence', seen: true });
    expect([claim.validUntil, claim.leaseUntil]).toEqual([1_500, 31_100]);
  });

  it('may act for as long as its mode allows', () => {
    const clock = new VirtualClock(0);
    const claim = new Claim('a:1', 7, times, clock);
    claim.confirm(instantOf(clock), { mode: 'lease', seen: false });
    expect(claim.validUntil).toBe(29_700);
  });

  it('cuts its validity before it rests on presence, also for confirmations that are still in flight', () => {
    const clock = new VirtualClock(0);
    const claim = new Claim('a:1', 7, times, clock);
    claim.confirm(instantOf(clock), { mode: 'lease', seen: true });
    clock.advance(10_000);
    const underWay = instantOf(clock);
    clock.advance(10);
    claim.want('presence');
    claim.suspend();
    expect(claim.validUntil).toBe(10_010);
    claim.confirm(underWay, { mode: 'lease', seen: true }, 0);
    expect(claim.validUntil).toBe(10_400);
    claim.confirm(instantOf(clock), { mode: 'presence', seen: true });
    expect([claim.validUntil, claim.wanted]).toEqual([10_410, undefined]);
  });

  it('does not act longer before the store has agreed that it rests on time', () => {
    const clock = new VirtualClock(0);
    const claim = new Claim('a:1', 7, times, clock);
    claim.confirm(instantOf(clock), { mode: 'presence', seen: true });
    claim.want('lease');
    claim.confirm(instantOf(clock), { mode: 'presence', seen: true });
    expect(claim.validUntil).toBe(400);
    claim.confirm(instantOf(clock), { mode: 'lease', seen: true });
    expect(claim.validUntil).toBe(29_700);
  });

  it('does not act longer after it has given up a change until the store knows that', () => {
    const clock = new VirtualClock(0);
    const claim = new Claim('a:1', 7, times, clock);
    claim.confirm(instantOf(clock), { mode: 'lease', seen: true });
    claim.want('presence');
    claim.suspend();
    claim.want('lease');
    clock.advance(100);
    // Sent before the change was given up, and before it was asked for.
    claim.confirm(instantOf(clock), { mode: 'lease', seen: false }, 1);
    claim.confirm(instantOf(clock), { mode: 'lease', seen: false }, 0);
    expect([claim.validUntil, claim.change]).toEqual([500, { mode: 'lease', number: 2 }]);
    claim.confirm(instantOf(clock), { mode: 'lease', seen: false }, 2);
    expect([claim.validUntil, claim.change]).toEqual([29_800, undefined]);
  });

  it('does not act longer because a change that it has undone was granted late', () => {
    const clock = new VirtualClock(0);
    const claim = new Claim('a:1', 7, times, clock);
    claim.confirm(instantOf(clock), { mode: 'presence', seen: true });
    claim.want('lease');
    const late = instantOf(clock);
    claim.want('presence');
    claim.confirm(instantOf(clock), { mode: 'presence', seen: true }, 2);
    claim.confirm(late, { mode: 'lease', seen: true }, 1);
    expect([claim.mode, claim.validUntil]).toEqual(['presence', 400]);
  });

  it('counts time as passed that only the wall clock shows', () => {
    const clock = new VirtualClock(0);
    const claim = new Claim('a:1', 7, times, clock);
    const sent = instantOf(clock);
    clock.stepWall(5_000);
    claim.confirm(sent, { mode: 'presence', seen: true });
    expect(claim.validUntil).toBe(-4_600);
  });
});
