/** The value below which `fraction` of the samples lie (nearest rank), rounded to hundredths. */
export function percentile(samples: readonly number[], fraction: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN;
  return Math.round(value * 100) / 100;
}

/** Fewer samples have no P99, because it would be the slowest sample. */
const ENOUGH_FOR_P99 = 100;

/** The slow end of samples: `<name>P99Ms`, or `<name>MaxMs` for few samples. */
export function slowEnd(name: string, samples: readonly number[]): Record<string, number> {
  return samples.length < ENOUGH_FOR_P99
    ? { [`${name}MaxMs`]: percentile(samples, 1) }
    : { [`${name}P99Ms`]: percentile(samples, 0.99) };
}

/** Duration of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
