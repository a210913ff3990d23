import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryElectionStore } from '../backends/memory/memory-election-store.js';
import { Elector } from '../elector/elector.js';
import { RemoteLease } from '../test-support/remote-lease.js';
import { checkHistory, type Grant } from '../testing/check-history.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { CampaignMemory } from './campaign-memory.js';
import { LeaseCampaign } from './lease-campaign.js';

const CANDIDATES = 3;
const LOCK_TTL = 2_000;
const TIMING = { lockTtl: LOCK_TTL, heartbeatInterval: 600, checkInterval: 1_000 };
const OTHERS = [
  { lockTtl: 700, heartbeatInterval: 200, checkInterval: 300 },
  { lockTtl: 4_000, heartbeatInterval: 1_200, checkInterval: 1_000 },
];
const MAX_TTL = 4_000;

const step = fc.record({
  who: fc.nat({ max: CANDIDATES - 1 }),
  what: fc.constantFrom(
    ...([
      'pass',
      'pass',
      'pass',
      'freeze',
      'jump',
      'cut',
      'mute',
      'heal',
      'slow',
      'resign',
      'restart',
    ] as const),
  ),
  by: fc.integer({ min: 1, max: 3_000 }),
});

/** A candidate whose machine can sleep: its monotonic clock stops then, its wall clock does not. */
function enter(
  id: string,
  timing: typeof TIMING,
  store: MemoryElectionStore,
  world: VirtualClock,
  grants: Grant[],
) {
  let jumped = 0;
  const clock = {
    now: () => world.now() - jumped,
    wallNow: () => world.wallNow(),
    setTimeout: (callback: () => void, delay: number) => world.setTimeout(callback, delay),
    clearTimeout: (handle: unknown) => world.clearTimeout(handle),
  };
  const lease = new RemoteLease(store);
  const memory = new CampaignMemory();
  let campaign: LeaseCampaign | undefined;
  const elector = new Elector({
    backend: {
      name: 'model',
      campaign: ({ id: candidateId }, signal) => {
        campaign = new LeaseCampaign({
          name: 'model',
          store: lease,
          memory,
          timing,
          callTimeout: timing.lockTtl / 5,
          candidateId,
          signal,
          consumer: signal,
          clock,
          random: () => 0,
        });
        return campaign.states();
      },
      resign: () => campaign?.resign() ?? Promise.resolve(),
      close: () => Promise.resolve(),
    },
    candidate: { id },
    clock,
  });
  return {
    lease,
    elector,
    /** As long as the world sees it act. */
    act: (from: number, until: number) => {
      const held = elector.lease;
      if (held?.isValid()) grants.push({ owner: id, term: held.term, sentAt: from, validUntil: until });
    },
    jump: (by: number) => (jumped += by),
  };
}

describe('LeaseCampaign under any schedule of faults', () => {
  it.each([
    ['the same durations', [TIMING, TIMING, TIMING]],
    ['durations of its own', [TIMING, ...OTHERS]],
  ])(
    'never lets two act, has terms that rise, and finds a leader in the end, each with %s',
    async (_what, timings) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const world = new VirtualClock(10_000);
          const store = new MemoryElectionStore({ lockTtl: LOCK_TTL, clock: world });
          const grants: Grant[] = [];
          const participants = Array.from({ length: CANDIDATES }, (_, i) =>
            enter(`${i}`, timings[i]!, store, world, grants),
          );
          for (const { elector } of participants) elector.start();
          const look = () => {
            const now = world.now();
            for (const { act } of participants) act(now, now + 1);
            expect(participants.filter(({ elector }) => elector.lease?.isValid()).length).toBeLessThanOrEqual(
              1,
            );
          };
          const pass = async (duration: number) => {
            for (let passed = 0; passed < duration; passed += 50) {
              world.advance(Math.min(50, duration - passed));
              look();
              for (let turn = 0; turn < 3; turn++) await setImmediate();
              look();
            }
          };

          for (const { who, what, by } of steps) {
            const { lease, elector, jump } = participants[who]!;
            if (what === 'pass') await pass(by);
            else if (what === 'freeze') world.freeze(by);
            else if (what === 'jump') {
              // Time passes while the monotonic clock of this candidate is stopped.
              jump(by);
              world.freeze(by);
            } else if (what === 'resign') void elector.resign();
            else if (what === 'restart') void elector.stop().then(() => elector.start());
            else if (what === 'slow') lease.delay = by % 200;
            else if (what === 'heal') [lease.cut, lease.mute, lease.delay] = [false, false, 0];
            else lease[what] = true;
            look();
            await setImmediate();
            look();
          }

          for (const { lease } of participants) [lease.cut, lease.mute, lease.delay] = [false, false, 0];
          await pass(3 * MAX_TTL);
          expect(participants.filter(({ elector }) => elector.lease?.isValid())).toHaveLength(1);
          expect(checkHistory(grants)).toEqual([]);
          const stopped = Promise.all(participants.map(({ elector }) => elector.stop()));
          await pass(MAX_TTL);
          await stopped;
          expect(world.pending).toBe(0);
        }),
        { numRuns: 100 },
      );
    },
  );
});
