import { describe, expect, it } from 'vitest';
import { SimulatedGroup } from '../testing/simulated-group.js';

describe('a leader that resigned', () => {
  it('leads again when no other member does, although its timer is early', async () => {
    const group = new SimulatedGroup(1);
    const { clock } = group;
    const first = group.add({ cooldown: 1_000 });
    const { setTimeout } = clock;
    // As Node's timers by the monotonic clock.
    clock.setTimeout = (callback, delay) => setTimeout.call(clock, callback, delay === 1_000 ? 999 : delay);
    first.start();
    await clock.until('it leads', 20_000, () => group.agreed());
    void first.member.resign();
    const { term } = first.member;
    await clock.advance(500);
    expect(first.member.mayAct).toBe(false);
    await clock.until('it leads again', 20_000, () => group.agreed());
    expect(first.member.term).toBeGreaterThan(term);
  });
});
