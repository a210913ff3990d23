import { describe, it } from 'vitest';
import { expectSound } from '../../../test-support/model/play.js';
import { schedules } from '../../../test-support/model/schedules.js';
import type { CrashDetection } from '../redis-election-options.js';

describe('an election of candidates that differ, under random faults in virtual time', () => {
  it.each<[what: string, kinds: CrashDetection[], mixed: boolean, share: number]>([
    ['leases that rest on time', ['lease'], false, 0.1],
    ['leases that rest on time, and some by presence', ['presence', 'lease'], false, 0.2],
    ['leases that rest on time, each with its own durations', ['lease'], true, 0.1],
    ['leases by presence, each with its own durations', ['presence'], true, 0.15],
    ['leases of both kinds, each with its own durations', ['presence', 'lease'], true, 0.15],
  ])(
    'has one leader at a time, with terms that rise, and a leader again when the faults end: %s',
    (_what, kinds, mixed, share) => expectSound(schedules(kinds, mixed), share),
  );
});
