import type { Gauge } from './gauges.js';
import { MEASURES, type MeasureName, type Series } from './measures.js';
import type { Sample } from './trend.js';

/** What was measured, by process and measure. */
export class SoakRecords {
  private readonly series = new Map<string, Series & { readonly samples: Sample[] }>();

  get all(): readonly Series[] {
    return [...this.series.values()];
  }

  /** @param group of the samples with which this one is compared */
  addGauge({ process, at, ...values }: Gauge, group: string): void {
    for (const [measure, value] of Object.entries(values))
      this.add(process, measure as MeasureName, { at, value, group });
  }

  /** @param sample its value is a number of bytes, or a count */
  add(process: string, measure: MeasureName, { value, ...sample }: Sample): void {
    const name = `${process} ${measure}`;
    let found = this.series.get(name);
    if (found === undefined) this.series.set(name, (found = { process, measure, samples: [] }));
    found.samples.push({ ...sample, value: value / MEASURES[measure].size });
  }

  /** The least number of samples that any of these processes has from an instant on. */
  fewest(processes: readonly string[], from: number): number {
    const counts = processes.map((name) => {
      const samples = this.all.find(({ process }) => process === name)?.samples ?? [];
      return samples.filter(({ at }) => at >= from).length;
    });
    return Math.min(...counts);
  }
}
