import { describe, expect, it } from 'vitest';
import { SimulatedGroup } from './testing/simulated-group.js';
import { StandaloneLeaderStore } from './store/standalone-leader-store.js';

describe('a standalone member', () => {
  it('leads at once, with id 1', async () => {
    const group = new SimulatedGroup(1);
    const only = group.add({ store: new StandaloneLeaderStore() }).start();
    await group.clock.advance(0);
    expect([only.id, only.member.mayAct]).toEqual([1, true]);
    await group.clock.advance(60_000);
    expect(only.member.mayAct).toBe(true);
    expect(Object.keys(only.member.sent)).toEqual([]);
  });
});
