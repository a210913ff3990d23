import { TimeSlices } from './time-slices.js';

/**
 * Runs a computation that yields where it may be interrupted.
 * @param between called in each pause; it may take long
 */
export async function runInSlices<T>(
  steps: Generator<void, T>,
  slices = new TimeSlices(),
  between?: () => Promise<void>,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (slices.isDue()) await slices.pause(between);
  }
}
