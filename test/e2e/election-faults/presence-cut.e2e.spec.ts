import { describe, expect, it, vi } from 'vitest';
import { useArena } from './support/use-arena.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

describe('a leader whose presence connection alone is cut', () => {
  const startArena = useArena();

  it('continues, in its term or after it was replaced', async () => {
    const arena = await startArena(3);
    for (let round = 0; round < 5; round++) {
      const leader = await arena.settled();
      await arena.cutPresence(leader);
      await arena.settled();
    }
  });

  it.each([300, 600, 1_000])('while it is blocked for %i ms, resumes or is replaced', async (duration) => {
    const arena = await startArena(3);
    for (let round = 0; round < 3; round++) {
      const leader = await arena.settled();
      const from = arena.journal.read();
      await leader.block(duration);
      await arena.next('blocked', from);
      await arena.cutPresence(leader);
      await arena.next('unblocked', from);
      await arena.settled();
    }
  });

  it('while it is blocked for long, is replaced, and finds that out before it acts', async () => {
    const arena = await startArena(3);
    const leader = await arena.settled();
    const from = arena.journal.read();
    await leader.block(8_000);
    await arena.next('blocked', from);
    await arena.cutPresence(leader);
    const acquired = await arena.next('acquired', from);
    expect(acquired).toMatchObject({ reason: 'absent' });
    expect(acquired.owner).not.toBe(leader.id);

    const { at } = await arena.next('unblocked', from);
    await arena.next('lost', from, ({ owner }) => owner === leader.id);
    const later = arena.journal.entries.filter((entry) => entry.owner === leader.id && entry.at > at);
    expect(later.filter(({ kind }) => kind === 'acted')).toEqual([]);
    await arena.settled();
  });
});
