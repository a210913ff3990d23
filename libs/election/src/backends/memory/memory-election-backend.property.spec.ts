import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Elector } from '../../elector/elector.js';
import { VirtualClock } from '../../testing/virtual-clock.js';
import { MemoryElectionBackend } from './memory-election-backend.js';
import { MemoryElectionStore } from './memory-election-store.js';

const CANDIDATES = 3;
const LOCK_TTL = 900;

const step = fc.record({
  who: fc.nat(CANDIDATES - 1),
  what: fc.constantFrom('disconnect', 'reconnect', 'resign', 'restart', 'freeze', 'pass', 'pass', 'pass'),
  by: fc.nat(1_200),
});

describe('MemoryElectionBackend under any schedule of faults', () => {
  it('has one valid lease at most, rising terms, and always a leader in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = new VirtualClock(5_000);
        const store = new MemoryElectionStore({ lockTtl: LOCK_TTL, clock });
        const terms: number[] = [];
        const participants = Array.from({ length: CANDIDATES }, (_, i) => {
          const backend = new MemoryElectionBackend({ store });
          const elector = new Elector({ backend, candidate: { id: `${i}` }, clock });
          elector.on('acquired', ({ term }) => terms.push(term));
          elector.start();
          return { backend, elector };
        });
        const check = () => {
          const valid = participants.filter(({ elector }) => elector.lease?.isValid());
          expect(valid.length).toBeLessThanOrEqual(1);
        };
        const pass = async (duration: number) => {
          for (let passed = 0; passed < duration; passed += 300) {
            clock.advance(Math.min(300, duration - passed));
            check();
            await setImmediate();
            check();
          }
        };

        for (const { who, what, by } of steps) {
          const { backend, elector } = participants[who]!;
          if (what === 'pass') await pass(by);
          else if (what === 'freeze') clock.freeze(by);
          else if (what === 'resign') void elector.resign();
          else if (what === 'restart') void elector.stop().then(() => elector.start());
          else backend[what]();
          check();
          await setImmediate();
          check();
        }

        for (const { backend } of participants) backend.reconnect();
        await pass(LOCK_TTL + 2_000);
        expect(participants.filter(({ elector }) => elector.lease?.isValid())).toHaveLength(1);
        expect(terms).toEqual([...new Set(terms)].sort((a, b) => a - b));
        await Promise.all(participants.map(({ elector }) => elector.stop()));
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});
