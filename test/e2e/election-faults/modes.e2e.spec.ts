import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Arena, ArenaOptions } from './support/arena.js';
import type { Candidate } from './support/candidate.js';
import { useArena } from './support/use-arena.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Long enough for a leader of a busy machine that must not lose its lease. Milliseconds. */
const LOCK_TTL = 6_000;
const TIMES = { timing: 'fast', lockTtl: LOCK_TTL } as const;
const restricted = (name: string, rules: string) => ({
  name,
  password: 'secret',
  rules: ['~*', '&*', '+@all', ...rules.split(' ')],
});

/** It leads on, unchanged, for longer than its lease; then it is killed, and replaced when its lease has run out. */
async function expectToLast(arena: Arena, leader: Candidate): Promise<void> {
  const from = arena.journal.read();
  await sleep(LOCK_TTL * 1.5);
  expect(await arena.settled()).toBe(leader);
  const changes = arena.journal.entries
    .slice(from)
    .filter(({ kind }) => ['acquired', 'lost', 'suspended'].includes(kind));
  expect(changes).toEqual([]);
  leader.kill();
  expect(await arena.next('acquired', from)).toMatchObject({ reason: 'expired' });
  await arena.settled();
}

describe('a leader that cannot be seen, among followers that look', () => {
  const startArena = useArena();

  it("that uses crashDetection 'lease', is not deposed while it renews", async () => {
    const arena = await startArena(1, { ...TIMES, crashDetection: 'lease' });
    const [leader] = arena.candidates;
    await arena.join({ crashDetection: 'presence' });
    await arena.join({ crashDetection: 'presence' });
    await arena.settled();
    await expectToLast(arena, leader!);
  });

  it.each([
    ['subscribe', '-subscribe -psubscribe -ssubscribe'],
    ['count subscriptions', '-pubsub'],
  ])('that has no right to %s, is not deposed while it renews', async (_name, rules) => {
    const options: ArenaOptions = {
      ...TIMES,
      username: 'mute',
      password: 'secret',
      server: { users: [restricted('mute', rules)] },
    };
    const arena = await startArena(1, options);
    const [leader] = arena.candidates;
    const open = { username: undefined, password: undefined };
    await arena.join(open);
    await arena.join(open);
    await arena.settled();
    await arena.next('warned', 0, ({ owner }) => owner === leader!.id);
    await expectToLast(arena, leader!);
  });

  it('a follower that does not look replaces a killed leader when the lease has run out', async () => {
    const arena = await startArena(1, TIMES);
    const [leader] = arena.candidates;
    await arena.join({ crashDetection: 'lease' });
    await arena.settled();
    const from = arena.journal.read();
    leader!.kill();
    expect(await arena.next('acquired', from)).toMatchObject({ reason: 'expired' });
  });
});
