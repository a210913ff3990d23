import type { SubscriptionRow } from './dashboard-view.js';

/** Time ranges of the charts, and of the events and detections on the page: each ends now. */
export const HISTORY_RANGES = ['15m', '1h', '24h'] as const;

export type HistoryRange = (typeof HISTORY_RANGES)[number];

/** Milliseconds. */
export interface Resolution {
  readonly span: number;
  /** Length of one interval: each point of a chart sums up one. It divides `span`. */
  readonly step: number;
}

export const RESOLUTIONS: Readonly<Record<HistoryRange, Resolution>> = {
  '15m': { span: 15 * 60_000, step: 5_000 },
  '1h': { span: 3_600_000, step: 20_000 },
  '24h': { span: 24 * 3_600_000, step: 300_000 },
};

/** Null for any other text. */
export function historyRangeOf(text: string | undefined): HistoryRange | null {
  return HISTORY_RANGES.find((range) => range === text) ?? null;
}

/** The figures of a cluster over a time range. Intervals in which no master recorded any are missing. */
export interface ClusterHistory {
  readonly range: HistoryRange;
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds. */
  readonly step: number;
  /** URLs of the workers with figures of their own in `points`, sorted. */
  readonly workers: readonly string[];
  /** In the order of time. */
  readonly points: readonly HistoryPoint[];
}

/** The figures of one interval. */
export interface HistoryPoint {
  /** When the interval began. ISO 8601. */
  readonly at: string;
  /** Mean of the detections per second that reached callbacks in all processes; null: unknown. */
  readonly detectionsPerSecond: number | null;
  /** Longest lag of a process. Milliseconds; null: no detections. */
  readonly lagMs: number | null;
  /** Percent, mean and highest of all workers that report one; null: none does. See `loads`. */
  readonly meanLoad: number | null;
  readonly highestLoad: number | null;
  /** Mean load of each of `workers`, in their order: usage of the processor or of the GPU, the higher one. Percent; null: unknown. */
  readonly loads: readonly (number | null)[];
  /** Mean number of subscriptions by status. */
  readonly subscriptions: Readonly<Record<SubscriptionRow['status'], number>>;
  /** Terms that began in this interval. */
  readonly failovers: number;
}
