import { startEtcd } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Arena } from './support/arena.js';
import type { Candidate, CandidateOptions } from './support/candidate.js';
import { useArena } from './support/use-arena.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Each acts for longer than the candidates with the other options would wait by their own. */
const LONG = { lockTtl: 9_000, heartbeatInterval: 1_000, checkInterval: 1_000 };
const SHORT = { lockTtl: 3_000, heartbeatInterval: 1_000, checkInterval: 500 };

type Mixture = readonly [what: string, leader: CandidateOptions, others: CandidateOptions];

const BY_TIME: Mixture = [
  'redis, by time',
  { crashDetection: 'lease', ...LONG },
  { crashDetection: 'lease', ...SHORT },
];
const BY_BOTH: Mixture = ['redis, by time and by presence', { crashDetection: 'lease', ...LONG }, SHORT];
const FEED: Mixture = ['redis feed', { backend: 'redis feed', ...LONG }, { backend: 'redis feed', ...SHORT }];
const MIXTURES: readonly Mixture[] = [
  ['redis, by presence', { ...LONG, presenceValidity: 4_000, presenceGrace: 5_000 }, SHORT],
  BY_TIME,
  BY_BOTH,
  FEED,
  ['postgres feed', { backend: 'postgres feed', ...LONG }, { backend: 'postgres feed', ...SHORT }],
  ['postgres', { backend: 'postgres', ...LONG }, { backend: 'postgres', ...SHORT }],
];

/** Others than the leader take over; the history of all grants is checked when the test ends. */
async function othersTakeOver(arena: Arena, leader: Candidate, fault: () => unknown): Promise<void> {
  const from = arena.journal.read();
  await fault();
  await arena.next('granted', from, ({ owner }) => owner !== leader.id);
}

describe('an election of processes with different timing', () => {
  const startArena = useArena();
  const etcd: { url?: string; stop?: () => Promise<void> } = {};
  beforeAll(async () => {
    const server = await startEtcd();
    [etcd.url, etcd.stop] = [server.url, () => server.stop()];
  });
  afterAll(() => etcd.stop?.());

  /** A leader with the first options among others that have the second. */
  const mixed = async ([, options, others]: Mixture) => {
    const arena = await startArena(1, { ...options, server: { persistence: false } });
    const [leader] = arena.candidates;
    // Not what the leader has, but the defaults.
    const defaults = Object.fromEntries(Object.keys(options).map((name) => [name, undefined]));
    const join = () => arena.join({ ...defaults, url: options.url, ...others });
    await join();
    await join();
    expect(await arena.settled()).toBe(leader);
    return { arena, leader: leader!, join };
  };

  const withEtcd: Mixture = ['etcd', { backend: 'etcd', ...LONG }, { backend: 'etcd', ...SHORT }];
  it.each([...MIXTURES, withEtcd])(
    'replaces a leader that is killed, and one that is frozen, only when it can no longer act: %s',
    async (what, options, others) => {
      const url = options.backend === 'etcd' ? etcd.url : undefined;
      const { arena, leader } = await mixed([what, { ...options, url }, { ...others, url }]);
      await othersTakeOver(arena, leader, () => leader.kill());
      const frozen = await arena.settled();
      await arena.join({ ...options, url });
      await othersTakeOver(arena, frozen, () => frozen.pause());
      frozen.resume();
      await arena.settled();
    },
  );

  it.each([BY_TIME, BY_BOTH, FEED])(
    'replaces a leader that is frozen, whose lease Redis has lost, only when it can no longer act: %s',
    async (...mixture) => {
      const { arena, leader, join } = await mixed(mixture);
      await othersTakeOver(arena, leader, async () => {
        leader.pause();
        await arena.restart();
        // A candidate that has not seen that lease learns of it from Redis, to which the others have reported it.
        await join();
      });
      leader.resume();
      await arena.settled();
    },
  );
});
