import { describe, it } from 'vitest';
import { expectSound } from '../../../test-support/model/play.js';
import { schedules } from '../../../test-support/model/schedules.js';

describe('an election by presence, under random faults in virtual time', () => {
  it('has one leader at a time, with terms that rise, and a leader again when the faults end', () =>
    expectSound(schedules(['presence']), 0.3));
});
