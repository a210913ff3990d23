import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ElectionState } from '../../../contract/election-backend.js';
import type { WorldOptions } from '../../../test-support/model/model-world.js';
import { play } from '../../../test-support/model/play.js';
import type { ElectionSchedule } from '../../../test-support/model/election-schedule.js';
import { schedules } from '../../../test-support/model/schedules.js';
import type { Clock } from '../../../util/clock.js';
import type { CrashDetection } from '../redis-election-options.js';

/** A defect must be found within so many schedules. */
const WITHIN = 1_000;

const found = async (
  kinds: CrashDetection[],
  defect: Partial<WorldOptions>,
  mixed = false,
): Promise<boolean> => {
  for (const schedule of fc.sample(schedules(kinds, mixed), { numRuns: WITHIN, seed: 1 })) {
    const { violations } = await play(withDefect(schedule, defect));
    if (violations.length > 0) return true;
  }
  return false;
};
const withDefect = (schedule: ElectionSchedule, defect: Partial<WorldOptions>): ElectionSchedule => ({
  ...schedule,
  world: { ...schedule.world, ...defect },
});
const leading =
  (change: (state: Extract<ElectionState, { role: 'leader' }>, clock: Clock) => number) =>
  (state: ElectionState, clock: Clock): ElectionState =>
    state.role === 'leader' ? { ...state, validUntil: change(state, clock) } : state;

/** What shows that the checks can fail. */
describe('the model finds', () => {
  it.each<[what: string, kinds: CrashDetection[], defect: Partial<WorldOptions>, mixed?: boolean]>([
    ['a store that confirms any caller', ['presence'], { defects: ['confirms any caller'] }],
    ['a store that releases for any caller', ['presence'], { defects: ['releases for any caller'] }],
    [
      'a store that grants right after a restart',
      ['presence'],
      { defects: ['grants right after a restart'] },
    ],
    ['the same for leases that rest on time', ['lease'], { defects: ['grants right after a restart'] }],
    [
      'terms that a loss of data sets back',
      ['presence'],
      { defects: ['counts terms from what it has stored'] },
    ],
    [
      'a leader that continues after a restart',
      ['presence'],
      { defects: ['continues as if it had not restarted'] },
      true,
    ],
    [
      'validity that counts from the reply',
      ['presence'],
      { alter: leading((_state, clock) => clock.now() + 490) },
    ],
    ['a leader that is never suspended', ['presence'], { alter: leading(({ leaseUntil }) => leaseUntil) }],
    [
      'a leader that does not state how long it may act, to candidates with other durations',
      ['presence'],
      { defects: ['does not state how long a leader may act'] },
      true,
    ],
    [
      'a store that ignores what candidates have seen, if they have other durations',
      ['presence', 'lease'],
      { defects: ['ignores what candidates have seen'] },
      true,
    ],
    ['validity that outlasts the lease', ['lease'], { alter: leading(({ validUntil }) => validUntil + 500) }],
  ])('%s', async (_what, kinds, defect, mixed) => {
    expect(await found(kinds, defect, mixed)).toBe(true);
  });
});
