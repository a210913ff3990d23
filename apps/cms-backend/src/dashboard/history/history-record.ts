import type { HistoryPoint } from '@detector-cluster/dashboard-protocol';
import { z } from 'zod';
import { readJson } from '../../stores/read-json.js';
import { MAX_LINES } from './worker-lines.js';

/** The figures of one interval, summed up by the master. */
export interface HistoryRecord extends Omit<HistoryPoint, 'at'> {
  /** When the interval began. Milliseconds since 1970. */
  readonly at: number;
  /** Number of samples. */
  readonly samples: number;
  /** By index of the worker's line; null or missing: unknown. */
  readonly loads: readonly (number | null)[];
}

/** Sums up two parts of one interval: means by their samples, the longest lag, the highest load, all failovers. */
export function merged(a: HistoryRecord, b: HistoryRecord): HistoryRecord {
  const mean = (one: number | null, other: number | null): number | null => {
    if (one === null || other === null) return one ?? other;
    return (one * a.samples + other * b.samples) / (a.samples + b.samples);
  };
  const count = (status: keyof HistoryPoint['subscriptions']) =>
    mean(a.subscriptions[status], b.subscriptions[status])!;
  const lines = Math.max(a.loads.length, b.loads.length);
  return {
    at: a.at,
    samples: a.samples + b.samples,
    detectionsPerSecond: mean(a.detectionsPerSecond, b.detectionsPerSecond),
    lagMs: highest(a.lagMs, b.lagMs),
    meanLoad: mean(a.meanLoad, b.meanLoad),
    highestLoad: highest(a.highestLoad, b.highestLoad),
    subscriptions: {
      active: count('active'),
      pending: count('pending'),
      recovering: count('recovering'),
      failed: count('failed'),
    },
    failovers: a.failovers + b.failovers,
    loads: Array.from({ length: lines }, (_, line) => mean(a.loads[line] ?? null, b.loads[line] ?? null)),
  };
}

function highest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** Limits of the written values, which bound the memory of the history. */
const MAX = {
  samples: 999,
  rate: 9_999_999,
  lag: 99_999_999,
  percent: 100,
  count: 9_999_999,
  failovers: 999,
};

/** Stands for an unknown load. It is shorter than `null`, because loads are most of a record. */
const UNKNOWN = -1;

/** As text for Redis, at most {@link MAX_RECORD} characters, with as many digits as a chart can show. */
export function encodeRecord(record: HistoryRecord): string {
  const { active, pending, recovering, failed } = record.subscriptions;
  return JSON.stringify([
    record.at,
    Math.min(record.samples, MAX.samples),
    limited(record.detectionsPerSecond, MAX.rate, 1),
    limited(record.lagMs, MAX.lag, 0),
    limited(record.meanLoad, MAX.percent, 0),
    limited(record.highestLoad, MAX.percent, 0),
    [active, pending, recovering, failed].map((count) => limited(count, MAX.count, 1)),
    Math.min(record.failovers, MAX.failovers),
    record.loads.slice(0, MAX_LINES).map((load) => limited(load, MAX.percent, 0) ?? UNKNOWN),
  ]);
}

/** Longest result of {@link encodeRecord}: 110 characters, and 4 for each load. */
export const MAX_RECORD = 110 + 4 * MAX_LINES;

function limited(value: number | null, most: number, digits: number): number | null {
  return value === null ? null : Number(Math.min(Math.max(value, 0), most).toFixed(digits));
}

const figure = z.number().nonnegative();

const stored = z.tuple([
  z.int().nonnegative(),
  z.int().positive(),
  figure.nullable(),
  figure.nullable(),
  figure.nullable(),
  figure.nullable(),
  z.tuple([figure, figure, figure, figure]),
  z.int().nonnegative(),
  z.array(z.number().min(UNKNOWN)).max(MAX_LINES),
]);

/** Null for a text that is no record. Never throws. */
export function decodeRecord(text: string | null | undefined): HistoryRecord | null {
  const found = readJson(stored, text);
  if (found === null) return null;
  const [at, samples, detectionsPerSecond, lagMs, meanLoad, highestLoad, counts, failovers, loads] = found;
  const [active, pending, recovering, failed] = counts;
  return {
    at,
    samples,
    detectionsPerSecond,
    lagMs,
    meanLoad,
    highestLoad,
    subscriptions: { active, pending, recovering, failed },
    failovers,
    loads: loads.map((load) => (load === UNKNOWN ? null : load)),
  };
}
