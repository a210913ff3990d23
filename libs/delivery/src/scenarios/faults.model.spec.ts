import { describe, it } from 'vitest';
import { expectSound } from '../test-support/expect-sound.js';
import { faultySchedules } from '../test-support/schedules.js';

/** With room for a loaded machine, and for shortening a failure. Milliseconds. */
const TIMEOUT = 900_000;

describe('delivery under random faults in virtual time', () => {
  it(
    'hands over every accepted detection, in order, from one owner at a time',
    () => expectSound(faultySchedules(false), 0.5),
    TIMEOUT,
  );
});
