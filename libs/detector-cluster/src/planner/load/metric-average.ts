/** Time over which a metric is averaged, and after which a report is out of date. Milliseconds. */
const TIME_CONSTANT = 30_000;
const MAX_AGE = 6_000;

/** A metric averaged over the last reports; `at` is when the last one came, on any clock. */
export interface MetricAverage {
  readonly value: number;
  readonly at: number;
}

/** The average after a report that came at `at`: exponential, with a time constant of 30 s. A missing value ends it. */
export function averageWith(
  previous: MetricAverage | null,
  value: number | null | undefined,
  at: number,
): MetricAverage | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  if (previous === null || at - previous.at > MAX_AGE) return { value, at };
  const kept = Math.exp(-Math.max(0, at - previous.at) / TIME_CONSTANT);
  return { value: previous.value * kept + value * (1 - kept), at };
}

/** The value for the planner at `now`: null when no report came for 6 s. */
export function currentMetric(average: MetricAverage | null, now: number): number | null {
  return average === null || now - average.at > MAX_AGE ? null : average.value;
}
