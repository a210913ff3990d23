import { describe, it } from 'vitest';
import { expectSound } from '../test-support/expect-sound.js';
import { faultySchedules } from '../test-support/schedules.js';

describe('delivery under random faults in virtual time', () => {
  it.each([0, 1, 2, 3, 4])(
    'hands over every accepted detection, in order, from one owner at a time (part %i)',
    (part) => expectSound(faultySchedules(false), 0.1, part),
  );
});
