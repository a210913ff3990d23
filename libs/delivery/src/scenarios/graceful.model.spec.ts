import { describe, it } from 'vitest';
import { expectSound } from '../test-support/expect-sound.js';
import { gracefulSchedules } from '../test-support/schedules.js';

describe('delivery while processes come and go in virtual time', () => {
  it.each([
    ['one server', false],
    ['a Redis Cluster', true],
  ])('repeats no detection, on %s', (_what, callPerLog) => expectSound(gracefulSchedules(callPerLog), 0.125));
});
