import { setImmediate } from 'node:timers/promises';
import { validityOf } from '@detector-cluster/election/internal';
import { VirtualClock } from '@detector-cluster/election/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveLeaderFeedOptions } from '../base/leader-feed-options.js';
import { MemoryLease, MemoryLeaseRecord } from '../test-support/memory-lease.js';
import { StrictElection } from './strict-election.js';

const CANDIDATES = 3;
const LOCK_TTL = 4_000;
const OTHERS = [
  { heartbeatIntervalMs: 300, electionTimeoutMinMs: 600, electionTimeoutMaxMs: 1_200 },
  { heartbeatIntervalMs: 1_500, electionTimeoutMinMs: 3_000, electionTimeoutMaxMs: 8_000 },
];
const MAX_TTL = 8_000;

const step = fc.record({
  who: fc.nat({ max: CANDIDATES - 1 }),
  what: fc.constantFrom(
    'pass',
    'pass',
    'pass',
    'pass',
    'freeze',
    'cut',
    'mute',
    'heal',
    'slow',
    'elect',
    'wake',
  ),
  by: fc.integer({ min: 1, max: 6_000 }),
});

const ignore = () => undefined;

describe('StrictElection', () => {
  it('may act for the length of the lease from the request, not from the answer', async () => {
    const clock = new VirtualClock(10_000);
    const lease = new MemoryLease(new MemoryLeaseRecord(clock), clock);
    lease.delay = 400;
    const options = resolveLeaderFeedOptions({ id: 'a', clock });
    const election = new StrictElection('memory', lease, options, {
      state: ignore,
      leader: ignore,
      heartbeatError: ignore,
    });
    const until = async (moment: number) => {
      while (clock.now() < moment) {
        clock.advance(Math.min(50, moment - clock.now()));
        for (let turn = 0; turn < 3; turn++) await setImmediate();
      }
    };
    election.subscribed();
    await setImmediate();
    await until(10_850);
    expect(election.currentLease!.isValid()).toBe(true);
    lease.cut = true;
    await until(10_000 + validityOf(LOCK_TTL) - 1);
    expect(election.currentLease!.isValid()).toBe(true);
    await until(10_000 + validityOf(LOCK_TTL));
    expect(election.currentLease).toBeNull();
    const ended = election.end();
    await until(20_000);
    await ended;
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['the same durations', [{}, {}, {}]],
    ['durations of its own', [{}, ...OTHERS]],
  ])(
    'never has two valid leases under delays, losses, freezes and nominations, and finds a leader in the end, each node with %s',
    async (_what, timings) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const clock = new VirtualClock(10_000);
          const record = new MemoryLeaseRecord(clock);
          const terms: number[] = [];
          const participants = Array.from({ length: CANDIDATES }, (_, index) => {
            const lease = new MemoryLease(record, clock);
            const election: StrictElection = new StrictElection(
              'memory',
              lease,
              resolveLeaderFeedOptions({ id: `${index}`, clock, random: () => 0.5, ...timings[index] }),
              {
                state: (state) => state === 'leader' && terms.push(election.election),
                leader: () => undefined,
                heartbeatError: () => undefined,
              },
            );
            election.subscribed();
            return { lease, election };
          });
          const valid = () => participants.filter(({ election }) => election.currentLease?.isValid());
          const check = () => expect(valid().length).toBeLessThanOrEqual(1);
          const pass = async (duration: number) => {
            for (let passed = 0; passed < duration; passed += 100) {
              clock.advance(Math.min(100, duration - passed));
              check();
              for (let turn = 0; turn < 3; turn++) await setImmediate();
              check();
            }
          };

          for (const { who, what, by } of steps) {
            const { lease, election } = participants[who]!;
            if (what === 'pass') await pass(by);
            else if (what === 'freeze') clock.freeze(by);
            else if (what === 'elect') void election.elect(`${by % CANDIDATES}`).catch(() => undefined);
            else if (what === 'wake') election.leaseChanged();
            else if (what === 'slow') lease.delay = by % 700;
            else if (what === 'heal') [lease.cut, lease.mute, lease.delay] = [false, false, 0];
            else lease[what] = true;
            check();
            await setImmediate();
            check();
          }

          for (const { lease } of participants) [lease.cut, lease.mute, lease.delay] = [false, false, 0];
          await pass(3 * MAX_TTL);
          expect(valid()).toHaveLength(1);
          expect(terms).toEqual([...new Set(terms)].sort((a, b) => a - b));
          const ended = Promise.all(participants.map(({ election }) => election.end()));
          await pass(MAX_TTL);
          await ended;
          expect(clock.pending).toBe(0);
        }),
        { numRuns: 100 },
      );
    },
  );
});
