import { describe, it } from 'vitest';
import { expectSound } from '../../../../test-support/model/play.js';
import { schedules } from '../../../../test-support/model/schedule/schedules.js';

/** With room for a loaded machine, and for making a failure short. Milliseconds. */
const TIMEOUT = 600_000;

describe('an election of candidates with leases that rest on time, under random faults in virtual time', () => {
  it(
    'has one leader at a time, with terms that rise, and a leader again when the faults end',
    () => expectSound(schedules(['lease']), 0.15),
    TIMEOUT,
  );

  it(
    'does so together with candidates by presence',
    () => expectSound(schedules(['presence', 'lease']), 0.35),
    TIMEOUT,
  );
});
