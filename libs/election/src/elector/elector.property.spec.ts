import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeElection } from '../testing/fake-election.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { Elector } from './elector.js';

type Step =
  | { do: 'grant'; raise: number; sentAgo: number; ttl: number }
  | { do: 'suspend' | 'follow' | 'fail' | 'resign' | 'restart'; by?: undefined }
  | { do: 'advance' | 'freeze' | 'stepWall'; by: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      raise: fc.integer({ min: -1, max: 2 }),
      sentAgo: fc.integer({ min: 0, max: 400 }),
      ttl: fc.integer({ min: 1, max: 1_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('suspend', 'follow', 'fail', 'resign', 'restart') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('advance', 'freeze'),
      by: fc.integer({ min: 0, max: 1_500 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('stepWall' as const),
      by: fc.integer({ min: -2_000, max: 2_000 }),
    }),
  },
);

describe('Elector under any schedule of reports and time', () => {
  it('alternates acquired and lost, raises terms, and is never valid past a deadline', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = new VirtualClock(50_000);
        const backend = new FakeElection({ clock });
        const elector = new Elector({ backend, candidate: { id: 'me' }, clock });
        const log: { event: 'acquired' | 'lost'; term: number }[] = [];
        const deadlines = new Map<number, number>();
        let term = 1;

        const check = () => {
          const { lease } = elector;
          if (lease?.isValid()) expect(clock.now()).toBeLessThan(deadlines.get(lease.term) ?? -Infinity);
        };
        elector.on('acquired', (leadership) => {
          log.push({ event: 'acquired', term: leadership.term });
          check();
        });
        elector.on('lost', (leadership) => {
          log.push({ event: 'lost', term: leadership.term });
          expect(elector.lease).toBeNull();
        });
        elector.start();

        for (const s of steps) {
          if (s.do === 'grant') {
            term = Math.max(1, term + s.raise);
            const validUntil = clock.now() - s.sentAgo + s.ttl;
            deadlines.set(term, Math.max(deadlines.get(term) ?? -Infinity, validUntil));
            void backend.report({ role: 'leader', term, validUntil, leaseUntil: validUntil + 50 });
          } else if (s.do === 'suspend') void backend.report({ role: 'suspended', term });
          else if (s.do === 'follow') void backend.report({ role: 'follower', leaderId: 'other', term });
          else if (s.do === 'fail') void backend.report({ role: 'error', error: new Error('away') });
          else if (s.do === 'resign') await elector.resign();
          else if (s.do === 'restart') {
            await elector.stop();
            elector.start();
          } else clock[s.do](s.by ?? 0);
          check();
          await setImmediate();
          check();
        }
        await elector.stop();

        expect(clock.pending).toBe(0);
        log.forEach(({ event, term: t }, i) => {
          expect(event).toBe(i % 2 === 0 ? 'acquired' : 'lost');
          if (event === 'lost') expect(t).toBe(log[i - 1]!.term);
          else if (i > 0) expect(t).toBeGreaterThan(log[i - 1]!.term);
        });
        expect(log.length % 2).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
