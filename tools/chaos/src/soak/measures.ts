import { type Sample, type Trend, trendOf } from './trend.js';

/** A thing that must not grow. */
export interface Measure {
  readonly title: string;
  /** Of the values in charts and figures; empty for counts. */
  readonly unit: string;
  /** Number of what is measured in one unit. */
  readonly size: number;
}

const MEGABYTE = 2 ** 20;

export const MEASURES = {
  heap: { title: 'Heap after a collection of garbage', unit: 'MB', size: MEGABYTE },
  resident: { title: 'Resident memory', unit: 'MB', size: MEGABYTE },
  sockets: { title: 'Sockets', unit: '', size: 1 },
  timers: { title: 'Timers', unit: '', size: 1 },
  listeners: { title: 'Listeners', unit: '', size: 1 },
  keys: { title: 'Keys in Redis', unit: '', size: 1 },
  data: { title: 'Data in Redis', unit: 'MB', size: MEGABYTE },
} as const satisfies Readonly<Record<string, Measure>>;

export type MeasureName = keyof typeof MEASURES;

/** How much of each measure may be added in an hour, in its unit. What is missing is only shown. */
export type Limits = Partial<Readonly<Record<MeasureName, number>>>;

/** One process, one measure, in the order of time. */
export interface Series {
  readonly process: string;
  readonly measure: MeasureName;
  readonly samples: readonly Sample[];
}

export interface Growth extends Trend {
  readonly process: string;
  readonly measure: MeasureName;
  /** Undefined: it is only shown. */
  readonly limit: number | undefined;
}

/** The growth of each series from an instant on. */
export function growthOf(all: readonly Series[], from: number, limits: Limits): Growth[] {
  return all.map(({ process, measure, samples }) => ({
    process,
    measure,
    limit: limits[measure],
    ...trendOf(samples.filter(({ at }) => at >= from)),
  }));
}

/** It grows by more than its limit, beyond doubt. */
export const grows = ({ least, limit = Number.POSITIVE_INFINITY }: Growth): boolean => least > limit;

/** Whether it grows by more than its limit is not known: the samples are too few. Without two of one role, the growth is not a number. */
export const isUnclear = (growth: Growth): boolean =>
  growth.limit !== undefined && !grows(growth) && !(growth.most <= growth.limit);

/** The least growth that would not have been taken for noise. */
export const noticedFrom = ({ perHour, least, limit = 0 }: Growth): number => limit + perHour - least;
