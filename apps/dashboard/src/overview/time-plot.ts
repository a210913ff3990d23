import type { ClusterHistory } from '@detector-cluster/dashboard-protocol';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { IN_UTC } from '../time/zone.js';
import type { ChartData, ChartLine } from './history-charts.js';

const HEIGHT = 130;
const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const COLOURS = ['--chart-1', '--chart-2'];

/** A span of time, in seconds since 1970. */
export interface PlotSpan {
  readonly from: number;
  readonly to: number;
}

export function spanOf({ from, to }: Pick<ClusterHistory, 'from' | 'to'>): PlotSpan {
  return { from: Date.parse(from) / 1_000, to: Date.parse(to) / 1_000 };
}

/** A plot over time that fills the width of its element. */
export class TimePlot {
  private plot: uPlot | null = null;
  private shown = '';
  private span: PlotSpan = { from: 0, to: 1 };
  private readonly resized: ResizeObserver;

  constructor(private readonly frame: HTMLElement) {
    this.resized = new ResizeObserver(() => this.plot?.setSize({ width: frame.clientWidth, height: HEIGHT }));
    this.resized.observe(frame);
  }

  update(chart: ChartData, span: PlotSpan): void {
    this.span = span;
    const data = [chart.times, ...chart.lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
    const shape = JSON.stringify(chart.lines.map(({ label }) => label));
    if (this.plot === null || this.shown !== shape) {
      this.shown = shape;
      this.plot?.destroy();
      this.plot = new uPlot(this.options(chart), data, this.frame);
    } else this.plot.setData(data);
    // Without a cursor over the chart, the legend shows the latest figures.
    if (chart.times.length > 0 && (this.plot.cursor.left ?? -1) < 0)
      this.plot.setLegend({ idx: chart.times.length - 1 });
  }

  destroy(): void {
    this.resized.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }

  private options({ lines, most }: ChartData): uPlot.Options {
    const axis = {
      stroke: this.colour('--text-muted'),
      font: `11px ${getComputedStyle(this.frame).fontFamily}`,
      grid: { stroke: this.colour('--border'), width: 1 },
      ticks: { show: false },
    };
    return {
      width: this.frame.clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), IN_UTC ? 'Etc/UTC' : BROWSER_ZONE),
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      scales: {
        x: { range: () => [this.span.from, this.span.to] },
        y: { range: (_plot, _least, highest) => [0, most ?? Math.max(1, (highest ?? 0) * 1.1)] },
      },
      axes: [
        { ...axis, values: '{HH}:{mm}', space: 70, size: 28 },
        { ...axis, size: 50, space: 36 },
      ],
      series: [
        { value: '{HH}:{mm}:{ss}', label: 'Time' },
        ...lines.map((line, index) => ({
          ...this.style(line, index),
          label: line.label,
        })),
      ],
    };
  }

  private style({ colour }: ChartLine, index: number): uPlot.Series {
    return {
      stroke: this.colour(colour ?? COLOURS[index]!),
      width: 1.5,
      points: { show: false },
      // Undefined: the new figures end before the place that the legend shows.
      value: (_plot, value: number | null | undefined) =>
        value?.toLocaleString('en-GB', { maximumFractionDigits: 1 }) ?? '–',
    };
  }

  /** The value of a custom property as a colour for a canvas. */
  private colour(property: string): string {
    const probe = document.createElement('span');
    probe.style.color = `var(${property})`;
    this.frame.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }
}
