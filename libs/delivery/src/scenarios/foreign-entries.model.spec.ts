import { describe, it } from 'vitest';
import { expectSound } from '../test-support/expect-sound.js';
import { disturbedSchedules } from '../test-support/schedules.js';

describe.each([
  ['one server', false],
  ['a Redis Cluster', true],
])('delivery on %s to whose logs another program writes', (_where, callPerLog) => {
  it('hands over every accepted detection, in order, from one owner at a time', () =>
    expectSound(disturbedSchedules(callPerLog), 0.1));
});
