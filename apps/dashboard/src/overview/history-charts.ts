import type { ClusterHistory, HistoryPoint } from '@detector-cluster/dashboard-protocol';
import { workerName } from './workers.js';

export interface ChartLine {
  readonly label: string;
  /** A custom property with the colour; left out: the first or the second one of the palette. */
  readonly colour?: string;
  /** As long as `times`; null: unknown. */
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  readonly name: string;
  /** The last figures, as text for people. */
  readonly latest: string;
  /** What the chart spans. Seconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** The highest value of the axis; left out: it fits the values. */
  readonly most?: number;
}

/** The charts of a history. Times without a record are gaps. */
export function chartsOf(history: ClusterHistory): readonly ChartData[] {
  const points = withGaps(history);
  const line = lineOver(points);
  const last = history.points.at(-1);
  const charts = [
    {
      name: 'Detections per second',
      latest: figure(last?.detectionsPerSecond, (rate) => rate.toFixed(1)),
      lines: [line('All processes', (point) => point.detectionsPerSecond)],
    },
    {
      name: 'Lag',
      latest: figure(last?.lagMs, (lag) => `${count(lag)} ms`),
      lines: [line('Slowest process (ms)', (point) => point.lagMs)],
    },
    {
      name: 'Load',
      latest: figure(last?.highestLoad, (load) => `highest ${load} %`),
      lines: [
        line('Mean', (point) => point.meanLoad),
        line('Highest', (point) => point.highestLoad),
        ...outliersOf(history).map(({ url, index }) =>
          line(workerName(url), (point) => point.loads[index] ?? null),
        ),
      ],
      most: 100,
    },
    {
      name: 'Subscriptions by status',
      latest: figure(
        last?.subscriptions,
        ({ active, pending, recovering, failed }) =>
          `${count(active)} of ${count(active + pending + recovering + failed)} active`,
      ),
      lines: [
        line('Active', subscriptions('active'), '--ok'),
        line('Pending', subscriptions('pending'), '--warn'),
        line('Recovering', subscriptions('recovering'), '--chart-3'),
        line('Failed', subscriptions('failed'), '--bad'),
      ],
    },
  ];
  const [from, to] = [Date.parse(history.from) / 1_000, Date.parse(history.to) / 1_000];
  const times = points.map(({ at }) => at / 1_000);
  return charts.map((chart) => ({ ...chart, from, to, times }));
}

/** A worker whose load is at least so far above the mean has a line of its own. Percent. */
const OUTLIER = 25;

/** As many as the palette has colours besides those of the mean and the highest load. */
const MAX_OUTLIERS = 2;

/** The workers whose last load is far above the mean, the highest first. */
function outliersOf({ points, workers }: ClusterHistory) {
  const { loads = [], meanLoad = null } = points.at(-1) ?? {};
  if (meanLoad === null) return [];
  return workers
    .map((url, index) => ({ url, index, load: loads[index] ?? 0 }))
    .filter(({ load }) => load >= meanLoad + OUTLIER)
    .sort((a, b) => b.load - a.load)
    .slice(0, MAX_OUTLIERS);
}

type PointOrGap = ReturnType<typeof withGaps>[number];

const lineOver =
  (points: readonly PointOrGap[]) =>
  (label: string, valueOf: (point: HistoryPoint) => number | null, colour?: string): ChartLine => ({
    label,
    values: points.map(({ point }) => (point === null ? null : valueOf(point))),
    ...(colour !== undefined && { colour }),
  });

const subscriptions = (status: keyof HistoryPoint['subscriptions']) => (point: HistoryPoint) =>
  point.subscriptions[status];

/** Points in the order of time, with an empty one where at least one interval is missing. Times in milliseconds. */
function withGaps({ points, step }: ClusterHistory) {
  const all: { readonly at: number; readonly point: HistoryPoint | null }[] = [];
  for (const point of points) {
    const at = Date.parse(point.at);
    const before = all.at(-1)?.at;
    if (before !== undefined && at - before > step) all.push({ at: before + step, point: null });
    all.push({ at, point });
  }
  return all;
}

function figure<T>(value: T | null | undefined, text: (value: T) => string): string {
  return value === null || value === undefined ? '–' : text(value);
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}
