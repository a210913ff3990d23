import { CheckFailedError } from '../check.js';
import { PatientTimer } from './patient-timer.js';

/** Asks again until there is an answer. Fails the check after `limit` milliseconds with what was awaited. */
export async function until<T>(
  what: string | (() => string),
  limit: number,
  ask: () => T | Promise<T>,
): Promise<NonNullable<Exclude<T, false>>> {
  const timer = new PatientTimer();
  for (;;) {
    const answer = await ask();
    if (answer) return answer as NonNullable<Exclude<T, false>>;
    if (timer.elapsed > limit)
      throw new CheckFailedError(`waited ${limit} ms for ${typeof what === 'string' ? what : what()}`);
    await timer.step();
  }
}

/** Whether the condition holds all the time. Ends at once when it does not. */
export async function holdsFor(limit: number, condition: () => boolean): Promise<boolean> {
  const timer = new PatientTimer();
  while (timer.elapsed < limit) {
    if (!condition()) return false;
    await timer.step();
  }
  return condition();
}
