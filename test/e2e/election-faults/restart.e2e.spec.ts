import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Client } from './support/arena.js';
import { sharedClock } from './support/candidate.js';
import { useArena } from './support/use-arena.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Three times the 2 s without a leader after a restart, for busy machines. Milliseconds. */
const TIMEOUT = 6_000;

/** How long a leader acts without a confirmation; after that another one may have led. Milliseconds. */
const VALIDITY = 400;

/** Longer than it takes to replace an absent leader. Milliseconds. */
const OBSERVATION = 2_000;

describe('a restart of Redis', () => {
  const startArena = useArena();

  it.each([
    ['that keeps its data', true],
    ['that loses its data', false],
  ])('%s leaves the election without a leader for 2 s only', async (_name, persistence) => {
    const arena = await startArena(3, { server: { persistence } });
    const times: number[] = [];
    for (let round = 0; round < 2; round++) {
      const { term } = arena.journal.views.get((await arena.settled()).id)!;
      const startedAt = await arena.restart({ downFor: VALIDITY * 1.5 });
      const readyAt = sharedClock();
      const from = arena.journal.read();
      const granted = await arena.next('granted', from, ({ at }) => at > startedAt);
      expect(granted.at - startedAt).toBeGreaterThan(VALIDITY);
      times.push(Math.round(granted.at - readyAt));
      const leader = await arena.settled();
      const view = arena.journal.views.get(leader.id)!;
      if (persistence) expect(view.term).toBeGreaterThanOrEqual(term);
      else expect(view.term).toBeGreaterThan(term);
    }
    console.log(`restarts ${_name}: a candidate may act again after ${times.join(', ')} ms`);
    for (const time of times) expect(time).toBeLessThan(TIMEOUT);
  });
});

describe('connections that are cut', () => {
  const startArena = useArena();

  it.each([
    ['of all followers', ({ owner }: Client, leader: string) => owner !== leader],
    ['of all candidates', () => true],
    ['of all candidates, for commands and news', ({ presence }: Client) => !presence],
    ['of all candidates, for presence', ({ presence }: Client) => presence],
  ])('%s depose no leader', async (_name, which) => {
    const arena = await startArena(4);
    const leader = await arena.settled();
    const { term } = arena.journal.views.get(leader.id)!;
    const from = arena.journal.read();
    for (let round = 0; round < 2; round++) {
      expect(await arena.cut((client) => which(client, leader.id))).toBeGreaterThan(2);
      await sleep(OBSERVATION);
      expect(await arena.settled()).toBe(leader);
    }
    expect(arena.journal.entries.slice(from).filter(({ kind }) => kind === 'acquired')).toEqual([]);
    expect(arena.journal.views.get(leader.id)!.term).toBe(term);
  });
});
