/** One measured value. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
  /** Samples are compared only with those of the same group, e.g. of the times in which a process was master. */
  readonly group: string;
}

/** How much a value grows in an hour: the estimate, and the ends of its confidence interval. */
export interface Trend {
  readonly perHour: number;
  readonly least: number;
  readonly most: number;
}

const HOUR = 3_600_000;

/** Standard deviations from the estimate to the ends of the interval: a value that does not grow is above `least` in one of 740 runs. */
const DEVIATIONS = 3;

/** Samples that depend more than this on those before them are too few to tell. */
const MAX_DEPENDENCE = 0.95;

/**
 * The slope of samples, which are in the order of time, by Theil and Sen: the median of the slopes between all pairs of a group. A few samples far off do not change
 * it. The interval follows from Kendall's test. It is wider the more a sample depends on the one before it.
 */
export function trendOf(samples: readonly Sample[]): Trend {
  const names = new Set(samples.map(({ group }) => group));
  const groups = Array.from(names, (name) => samples.filter(({ group }) => group === name));
  const slopes = Float64Array.from(groups.flatMap(slopesOf)).sort();
  const perHour = quantile(slopes, 0.5);
  const variance = groups.reduce((sum, { length: n }) => sum + (n * (n - 1) * (2 * n + 5)) / 18, 0);
  const reach = (DEVIATIONS * Math.sqrt(variance * dependence(samples, groups, perHour))) / slopes.length;
  return {
    perHour,
    least: quantile(slopes, Math.max(0, (1 - reach) / 2)),
    most: quantile(slopes, Math.min(1, (1 + reach) / 2)),
  };
}

function slopesOf(samples: readonly Sample[]): number[] {
  const slopes: number[] = [];
  for (const [index, one] of samples.entries())
    for (let next = index + 1; next < samples.length; next++) {
      const other = samples[next]!;
      slopes.push(((other.value - one.value) / (other.at - one.at)) * HOUR);
    }
  return slopes;
}

/** By how much fewer independent samples would tell as much. */
function dependence(samples: readonly Sample[], groups: readonly Sample[][], perHour: number): number {
  const levels = new Map(
    groups.map((group) => [
      group[0]!.group,
      median(group.map(({ value, at }) => value - (at * perHour) / HOUR)),
    ]),
  );
  const rest = samples.map(({ at, value, group }) => value - (at * perHour) / HOUR - levels.get(group)!);
  const power = rest.reduce((sum, value) => sum + value ** 2, 0);
  const lagged = rest.slice(1).reduce((sum, value, index) => sum + value * rest[index]!, 0);
  const correlation = power === 0 ? 0 : Math.min(MAX_DEPENDENCE, Math.max(0, lagged / power));
  return (1 + correlation) / (1 - correlation);
}

const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);

/** Of sorted values; between two of them it is in proportion. */
function quantile(sorted: Float64Array, fraction: number): number {
  const place = fraction * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place % 1);
}
