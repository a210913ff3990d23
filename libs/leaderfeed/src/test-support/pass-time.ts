import { setImmediate } from 'node:timers/promises';
import type { VirtualClock } from '@detector-cluster/election/testing';

/** Lets virtual time pass and runs everything that becomes due. */
export async function passTime(clock: VirtualClock, duration: number, stride = 25): Promise<void> {
  for (let passed = 0; passed < duration; passed += stride) {
    clock.advance(Math.min(stride, duration - passed));
    await setImmediate();
  }
}
