import { afterAll, describe, it, vi } from 'vitest';
import type { Arena } from './support/arena.js';
import { drawFaults, type Fault } from './support/faults.js';
import { SeededRandom } from '@detector-cluster/local-cluster';
import { useArena } from './support/use-arena.js';

/** ELECTION_FAULT_ROUNDS=1000 runs for an hour; ELECTION_FAULT_SEED repeats the faults of another run, not their effects. */
const ROUNDS = Number(process.env.ELECTION_FAULT_ROUNDS ?? 20);
const SEED = Number(process.env.ELECTION_FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Rounds of one election before the next one begins. */
const BATCH = 10;

/** A leader whose lease rests on time when it is killed is replaced after 30 s. */
const TIMEOUT = 60_000;

vi.setConfig({ testTimeout: 120_000 + ROUNDS * 60_000, hookTimeout: 120_000 + ROUNDS * 60_000 });

describe('an election under random faults', () => {
  const startArena = useArena();
  const tally = { rounds: 0, suspended: 0, absent: 0, needless: [] as string[] };
  afterAll(() => console.log(`seed ${SEED}: ${JSON.stringify(tally)}`));

  const count = (arena: Arena, from: number, faults: readonly Fault[]) => {
    tally.rounds++;
    const entries = arena.journal.entries.slice(from);
    for (const entry of entries) {
      if (entry.kind === 'suspended') tally.suspended++;
      if (entry.kind !== 'acquired' || entry.reason !== 'absent') continue;
      tally.absent++;
      // A leader that gives up disappears on purpose.
      const gaveUp = entries.some((lost) => lost.kind === 'lost' && lost.reason === 'unconfirmed');
      // A leader that ends or is blocked while Redis is unavailable cannot release its lease, or reconnect.
      if (!gaveUp && faults.length === 1 && !faults[0]!.hidesLeader) tally.needless.push(faults[0]!.name);
    }
  };

  const batches = Array.from({ length: Math.ceil(ROUNDS / BATCH) }, (_, index) => {
    const [api, timing] =
      index % 2 === 0 ? (['Elector', 'default'] as const) : (['MasterElection', 'fast'] as const);
    return [index, api, timing, Math.min(BATCH, ROUNDS - index * BATCH)] as const;
  });

  it.each(batches)(
    'settles on one leader after each, batch %i: %s, timing %s, rounds: %i',
    async (batch, api, timing, rounds) => {
      const random = new SeededRandom(SEED + batch);
      const arena = await startArena(4, { api, timing, server: { persistence: true } });
      for (let round = 0; round < rounds; round++) {
        const leader = await arena.settled(TIMEOUT);
        const from = arena.journal.read();
        const faults = drawFaults(random);
        try {
          await Promise.all(faults.map(({ happen }) => happen(arena, leader, random)));
          await arena.settled(TIMEOUT);
        } catch (error) {
          const names = faults.map(({ name }) => name).join(' and ');
          throw new Error(
            `seed ${SEED}, batch ${batch}, round ${round}: ${names}: ${(error as Error).message}`,
            {
              cause: error,
            },
          );
        }
        count(arena, from, faults);
      }
    },
  );
});
