import { describe, it } from 'vitest';
import { expectSound } from '../test-support/expect-sound.js';
import { faultySchedules } from '../test-support/schedules.js';

describe('delivery on a Redis Cluster under random faults in virtual time', () => {
  it('hands over every accepted detection, in order, from one owner at a time', () =>
    expectSound(faultySchedules(true), 0.25));
});
