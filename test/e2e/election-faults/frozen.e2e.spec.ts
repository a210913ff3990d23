import { describe, expect, it, vi } from 'vitest';
import type { Arena } from './support/arena.js';
import type { Candidate } from './support/candidate.js';
import { useArena } from './support/use-arena.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** A process of a busy machine may step down late. The verdict says whether it acted after its lease. Milliseconds. */
const TOLERANCE = 10_000;

/** What a leader of `term` did from then on: nothing else before `lost`, and nothing as leader. */
function expectLostFirst(arena: Arena, { id }: Candidate, term: number, since: number): void {
  const later = arena.journal.entries.filter(
    ({ owner, at, kind }) => owner === id && at > since && kind !== 'granted',
  );
  expect(later[0]).toMatchObject({ kind: 'lost', term });
  expect(later.filter((entry) => entry.kind === 'acted' && entry.term === term)).toEqual([]);
}

describe.each(['Elector', 'MasterElection'] as const)(
  'a leader that is frozen beyond its lease, by %s',
  (api) => {
    const startArena = useArena();

    it('by SIGSTOP, is replaced, and notices that first when it continues', async () => {
      const arena = await startArena(3, { timing: 'fast', api });
      for (let round = 0; round < 2; round++) {
        const leader = await arena.settled();
        const { term } = arena.journal.views.get(leader.id)!;
        const from = arena.journal.read();
        leader.pause();
        const acquired = await arena.next('acquired', from);
        expect(acquired).toMatchObject({ reason: 'expired' });
        const resumedAt = leader.resume();
        await arena.next('lost', from, ({ owner }) => owner === leader.id);
        await arena.settled();
        expectLostFirst(arena, leader, term, resumedAt);
      }
    });

    it('by work that does not yield, is replaced, and finds that out before anything else', async () => {
      const arena = await startArena(3, { timing: 'fast', api });
      const leader = await arena.settled();
      const { term } = arena.journal.views.get(leader.id)!;
      const from = arena.journal.read();
      await leader.block(9_000);
      expect(await arena.next('acquired', from)).toMatchObject({ reason: 'expired' });
      const { at } = await arena.next('unblocked', from);
      await arena.next('lost', from, ({ owner }) => owner === leader.id);
      await arena.settled();
      expectLostFirst(arena, leader, term, at);
    });
  },
);

describe('a leader whose Redis is frozen', () => {
  const startArena = useArena();

  it.each([
    ['by default', {}],
    ["with timing 'fast'", { timing: 'fast' }],
    ['as MasterElection', { api: 'MasterElection' }],
    ["with timing 'fast' and crashDetection 'lease'", { timing: 'fast', crashDetection: 'lease' }],
  ] as const)('steps down by itself before its lease ends, %s', async (_name, options) => {
    const arena = await startArena(3, options);
    const leader = await arena.settled();
    const from = arena.journal.read();
    arena.redis.pause();
    const lost = await arena.next('lost', from);
    expect(lost.owner).toBe(leader.id);
    const ends = arena.journal.entries.flatMap((entry) =>
      entry.kind === 'granted' && entry.term === lost.term ? [entry.leaseUntil!] : [],
    );
    expect(lost.at).toBeLessThanOrEqual(Math.max(...ends) + TOLERANCE);
    arena.redis.resume();
    await arena.settled();
    expect(arena.journal.entries.slice(from).filter(({ kind }) => kind === 'crashed')).toEqual([]);
  });
});
