import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../test-support/model/fault.js';
import type { WorldOptions } from '../../../test-support/model/model-world.js';
import { play } from '../../../test-support/model/play.js';
import type { ElectionSchedule } from '../../../test-support/model/election-schedule.js';
import type { CandidateKind } from '../../../test-support/model/model-candidate.js';
import type { CrashDetection } from '../redis-election-options.js';

const world: WorldOptions = {
  seed: 1,
  latency: [10, 10],
  serverRate: 1,
  unseenLeasesOutlastLoss: false,
};

const timing = {
  lockTtl: 3_000,
  heartbeatInterval: 1_000,
  checkInterval: 500,
  presenceLook: 250,
  presenceGrace: 500,
  presenceValidity: 400,
  confirmInterval: 100,
};

const kind = (crashDetection: CrashDetection, lockTtl = timing.lockTtl): CandidateKind => ({
  crashDetection,
  rate: 1,
  timing: { ...timing, lockTtl, heartbeatInterval: Math.floor(lockTtl / 3) },
});
const byPresence = kind('presence');

/** Faults by the moment at which they happen. */
const schedule = (
  candidates: readonly CandidateKind[],
  faults: readonly [at: number, fault: Fault][],
  options: Partial<WorldOptions> = {},
): ElectionSchedule => ({
  world: { ...world, ...options },
  candidates,
  steps: faults.map(([at, fault], i) => ({ after: at - (faults[i - 1]?.[0] ?? 0), fault })),
});
const frozen = (lasts: number): Fault => ({
  kind: 'freeze',
  who: 0,
  lasts,
  dropPresence: true,
  timersFirst: true,
});
const lastSecondLost: Fault = { kind: 'server restart', lasts: 30, lost: 1_000 };

describe('a store that restarts and has lost its last writes', () => {
  // The leader is replaced while it is frozen; then the store forgets its successor.
  const replaced: [number, Fault][] = [
    [3_000, frozen(1_650)],
    [4_600, lastSecondLost],
  ];

  it('does not bring back a leader that was replaced', async () => {
    const { violations, log } = await play(schedule([byPresence, byPresence], replaced));
    expect(log.join('\n')).toMatch(/c2 acquired \d+ \(absent\)/);
    expect(violations).toEqual([]);
  });

  it('would, if the leader continued its term', async () => {
    const defects = ['continues as if it had not restarted'] as const;
    const { violations } = await play(schedule([byPresence, byPresence], replaced, { defects }));
    expect(violations).not.toEqual([]);
  });

  // The reply to the first claim gets lost while its process is frozen; the next one leads, and the store forgets it.
  const claimed: [number, Fault][] = [
    [75, frozen(1_340)],
    [1_380, lastSecondLost],
  ];

  it('does not grant an old claim again under its old term', async () => {
    const { violations, log } = await play(schedule([byPresence, byPresence], claimed));
    expect(log.join('\n')).toMatch(/c2 acquired \d+ \(absent\)/);
    expect(violations).toEqual([]);
  });

  it('would, if it considered the claim a repetition', async () => {
    const defects = ['repeats a grant as if it had not restarted'] as const;
    const { violations } = await play(schedule([byPresence, byPresence], claimed, { defects }));
    expect(violations).not.toEqual([]);
  });
});

/** The leader is cut off; then the store loses all data. */
const cutOff: [number, Fault][] = [
  [3_000, { kind: 'cut', who: 0, what: 'commands', forgotten: false, lasts: 30_000 }],
  [3_010, { kind: 'server restart', lasts: 10, lost: Infinity }],
];
/** More time for the election than its faults take. */
const later: [number, Fault] = [12_000, { kind: 'scripts lost' }];
const gone = (who: number, at: number): [number, Fault] => [at, { kind: 'kill', who }];
const starts = (at: number): [number, Fault] => [at, { kind: 'start' }];

describe.each<[what: string, leader: CandidateKind, others: CandidateKind]>([
  ['rests on time', kind('lease', 6_000), byPresence],
  ['is longer than those of the others', kind('lease', 6_000), kind('lease', 1_000)],
])('a store that loses a lease which %s', (_what, leader, others) => {
  it('grants none while that one may be valid, to candidates that have seen it', async () => {
    const { violations, log } = await play(schedule([leader, others, others], [...cutOff, later]));
    expect(log.join('\n')).toMatch(/c[23] acquired/);
    expect(violations).toEqual([]);
  });

  // The next kind to start is again that of the leader, which waits for as long as its own lease.
  const another = (at: number): [number, Fault][] => [starts(at), starts(at + 1), gone(1, at + 300)];

  const witnessed = [
    ...cutOff,
    starts(3_600),
    starts(3_601),
    gone(1, 3_900),
    gone(1, 3_901),
    gone(1, 3_902),
    later,
  ];

  it('nor to one that starts afterwards, if one that has seen it tells the store first', async () => {
    const { violations, log } = await play(schedule([leader, others, others], witnessed));
    expect(log.join('\n')).toMatch(/c5 acquired/);
    expect(violations).toEqual([]);
  });

  it('would, if the store did not remember what a candidate has seen', async () => {
    const defects = ['forgets how long a leader may act'] as const;
    const { violations } = await play(schedule([leader, others, others], witnessed, { defects }));
    expect(violations[0]).toMatch(/^two lead/);
  });

  // All candidates that have seen the lease are gone.
  const ignorant = schedule([leader, others], [gone(1, 2_980), ...cutOff, ...another(3_600), later]);

  it('must stay down until that one has expired, if no candidate has seen it', async () => {
    const world = { ...ignorant.world, unseenLeasesOutlastLoss: true };
    expect((await play({ ...ignorant, world })).violations).toEqual([]);
  });

  it('otherwise lets two lead: the limit of leases of different lengths', async () => {
    expect((await play(ignorant)).violations[0]).toMatch(/^two lead/);
  });
});
