/** The problems of single durations: one sentence for each that is not a positive whole number. */
export function durationProblems(durations: object): string[] {
  return Object.entries(durations)
    .filter(([, value]) => !Number.isInteger(value) || (value as number) <= 0)
    .map(([name, value]) => `${name} must be a positive whole number of milliseconds, not ${String(value)}`);
}
