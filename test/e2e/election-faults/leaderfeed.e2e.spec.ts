import { checkHistory, type Grant } from '@detector-cluster/election/testing';
import { describe, expect, it, vi } from 'vitest';
import { Arena } from './support/arena.js';
import type { JournalEntry } from './support/journal-entry.js';
import { useArena } from './support/use-arena.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Long enough for a leader of a busy machine that must keep its lease until it is ended. Milliseconds. */
const LOCK_TTL = 6_000;

describe.each([
  ['redis feed', 'Elector'],
  ['postgres feed', 'MasterElection'],
] as const)('a strict election over a %s, as %s', (backend, api) => {
  const startArena = useArena();

  it('never has two leaders while processes are killed, frozen or ended', async () => {
    const arena = await startArena(4, { backend, api, lockTtl: LOCK_TTL });

    (await arena.settled()).kill();
    const frozen = await arena.settled();
    const from = arena.journal.read();
    frozen.pause();
    expect(await arena.next('acquired', from)).toMatchObject({ reason: 'expired' });
    frozen.resume();
    expect(await arena.next('lost', from, ({ owner }) => owner === frozen.id)).toMatchObject({
      reason: 'expired',
    });

    const ending = await arena.settled();
    const ended = arena.journal.read();
    await ending.terminate();
    expect(await arena.next('acquired', ended)).toMatchObject({ reason: 'released' });
    await arena.settled();
  });
});

describe('a classic election over a redis feed', () => {
  const ROUNDS = 10;

  it('can have two leaders: one that was frozen acts before it learns of its successor', async () => {
    const arena = await Arena.start(3, { api: 'ClassicFeed' });
    const overlaps = () => checkHistory(grantsOf(arena.journal.entries)).join().includes('overlaps');
    try {
      // Sometimes it hears first: then it has done no harm, and is frozen again.
      for (let round = 0; round < ROUNDS && !overlaps(); round++) {
        const frozen = await arena.settled();
        const from = arena.journal.read();
        frozen.pause();
        // Several candidates may be elected at once, and the first of them may step down before it acts.
        await arena.next('acted', from, ({ owner }) => owner !== frozen.id);
        frozen.resume();
        await arena.next('lost', from, (entry) => entry.owner === frozen.id);
        await arena.settled();
      }
      expect(overlaps()).toBe(true);
    } finally {
      await arena.stop();
    }
  });
});

/** From the first to the last act of each term. */
function grantsOf(entries: readonly JournalEntry[]): Grant[] {
  const open = new Map<string, { -readonly [Key in keyof Grant]: Grant[Key] }>();
  const all: Grant[] = [];
  for (const entry of entries) {
    const { owner, at, kind } = entry;
    if (kind === 'lost') open.delete(owner);
    if (kind !== 'acted') continue;
    const grant = open.get(owner);
    if (grant) {
      grant.validUntil = at;
      continue;
    }
    const begun = { owner, term: all.length + 1, sentAt: at, validUntil: at };
    open.set(owner, begun);
    all.push(begun);
  }
  return all;
}
