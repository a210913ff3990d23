import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../../test-support/model/schedule/fault.js';
import type { WorldOptions } from '../../../../test-support/model/model-world.js';
import { play } from '../../../../test-support/model/play.js';
import type { ElectionSchedule } from '../../../../test-support/model/schedule/election-schedule.js';
import type { CrashDetection } from '../../redis-election-options.js';

const world: WorldOptions = {
  seed: 1,
  timing: {
    lockTtl: 3_000,
    heartbeatInterval: 1_000,
    checkInterval: 500,
    presenceLook: 250,
    presenceGrace: 500,
    presenceValidity: 400,
    confirmInterval: 100,
  },
  latency: [10, 10],
  serverRate: 1,
  timedLeasesOutlastLoss: true,
};

/** Faults by the moment at which they happen. */
const schedule = (
  kinds: readonly CrashDetection[],
  faults: readonly [at: number, fault: Fault][],
  options: Partial<WorldOptions> = {},
): ElectionSchedule => ({
  world: { ...world, ...options },
  candidates: kinds.map((crashDetection) => ({ crashDetection, rate: 1 })),
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
    const { violations, log } = await play(schedule(['presence', 'presence'], replaced));
    expect(log.join('\n')).toMatch(/c2 acquired \d+ \(absent\)/);
    expect(violations).toEqual([]);
  });

  it('would, if the leader continued its term', async () => {
    const defects = ['continues as if it had not restarted'] as const;
    const { violations } = await play(schedule(['presence', 'presence'], replaced, { defects }));
    expect(violations).not.toEqual([]);
  });

  // The reply to the first claim gets lost while its process is frozen; the next one leads, and the store forgets it.
  const claimed: [number, Fault][] = [
    [75, frozen(1_340)],
    [1_380, lastSecondLost],
  ];

  it('does not grant an old claim again under its old term', async () => {
    const { violations, log } = await play(schedule(['presence', 'presence'], claimed));
    expect(log.join('\n')).toMatch(/c2 acquired \d+ \(absent\)/);
    expect(violations).toEqual([]);
  });

  it('would, if it considered the claim a repetition', async () => {
    const defects = ['repeats a grant as if it had not restarted'] as const;
    const { violations } = await play(schedule(['presence', 'presence'], claimed, { defects }));
    expect(violations).not.toEqual([]);
  });
});

describe('a store that loses a lease which rests on time', () => {
  // Its leader is cut off. A candidate in presence mode starts that has never seen that lease.
  const ignorant: [number, Fault][] = [
    [500, { kind: 'kill', who: 1 }],
    [1_200, { kind: 'cut', who: 0, what: 'commands', forgotten: false, lasts: 5_000 }],
    [1_210, { kind: 'server restart', lasts: 10, lost: Infinity }],
    [1_250, { kind: 'start' }],
    [1_260, { kind: 'start' }],
    [5_000, { kind: 'scripts lost' }],
  ];

  it('must stay down until that lease has expired', async () => {
    expect((await play(schedule(['lease', 'presence'], ignorant))).violations).toEqual([]);
  });

  it('otherwise lets two lead: the limit of mixed kinds of crash detection', async () => {
    const { violations } = await play(
      schedule(['lease', 'presence'], ignorant, { timedLeasesOutlastLoss: false }),
    );
    expect(violations[0]).toMatch(/^two lead/);
  });
});
