/** The value below which `fraction` of the samples lie (nearest rank), rounded to hundredths. */
export function percentile(samples: readonly number[], fraction: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN;
  return roundTo(value, 2);
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Fewer samples have no P99, because it would be the slowest sample. */
const ENOUGH_FOR_P99 = 100;

/** Median and slow end of samples: `<name>P50Ms` with `<name>P99Ms`, or with `<name>MaxMs` for few samples. */
export function spread(name: string, samples: readonly number[]): Record<string, number> {
  return {
    [`${name}P50Ms`]: median(samples),
    ...(samples.length < ENOUGH_FOR_P99
      ? { [`${name}MaxMs`]: percentile(samples, 1) }
      : { [`${name}P99Ms`]: percentile(samples, 0.99) }),
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function roundTo(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Duration of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Durations of `count` runs of `work`, one after the other, in milliseconds. */
export async function timedRuns(count: number, work: (run: number) => Promise<unknown> | unknown) {
  const took: number[] = [];
  for (let run = 0; run < count; run++) took.push(await timed(() => work(run)));
  return took;
}
