/**
 * The problems of single durations: one sentence for each that is not a positive whole number.
 * @param max The longest that is allowed. Default: no limit. Milliseconds.
 */
export function durationProblems(durations: object, max?: number): string[] {
  const allowed =
    max === undefined
      ? 'a positive whole number of milliseconds'
      : `a whole number of milliseconds from 1 to ${max}`;
  return Object.entries(durations)
    .filter(([, value]) => !Number.isInteger(value) || value <= 0 || value > (max ?? Infinity))
    .map(([name, value]) => `${name} must be ${allowed}, not ${String(value)}`);
}
