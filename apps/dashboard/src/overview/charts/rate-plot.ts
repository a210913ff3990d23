import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { RateSeries } from './rate-history.js';

const HEIGHT = 140;
const COLOURS = ['--chart-1', '--chart-2', '--chart-3', '--chart-4'];
/** The chart spans at least this many seconds. */
const SPAN = 60;

/** A plot of rates that fills the width of its element. */
export class RatePlot {
  private plot: uPlot | null = null;
  private shown = '';
  private readonly resized: ResizeObserver;

  constructor(private readonly frame: HTMLElement) {
    this.resized = new ResizeObserver(() => this.plot?.setSize({ width: frame.clientWidth, height: HEIGHT }));
    this.resized.observe(frame);
  }

  update({ times, rates }: RateSeries, nameOf: (nodeId: string) => string): void {
    const names = [...rates.keys()].map(nameOf);
    const data = [times, ...rates.values()] as unknown as uPlot.AlignedData;
    if (this.plot === null || this.shown !== JSON.stringify(names)) {
      this.shown = JSON.stringify(names);
      this.plot?.destroy();
      this.plot = new uPlot(this.options(names), data, this.frame);
    } else this.plot.setData(data);
    // Without a cursor over the chart, the legend shows the latest figures.
    if ((this.plot.cursor.left ?? -1) < 0) this.plot.setLegend({ idx: times.length - 1 });
  }

  destroy(): void {
    this.resized.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }

  private options(names: readonly string[]): uPlot.Options {
    const axis = {
      stroke: this.colour('--text-muted'),
      font: `11px ${getComputedStyle(this.frame).fontFamily}`,
      grid: { stroke: this.colour('--border'), width: 1 },
      ticks: { show: false },
    };
    return {
      width: this.frame.clientWidth,
      height: HEIGHT,
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      scales: {
        x: { range: (_plot, least, most) => [Math.min(least, most - SPAN), most] },
        y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] },
      },
      axes: [
        { ...axis, values: '{HH}:{mm}:{ss}', space: 90, size: 28 },
        { ...axis, size: 44, space: 36 },
      ],
      series: [
        { value: '{HH}:{mm}:{ss}', label: 'Time' },
        ...names.map((label, index) => ({
          label,
          stroke: this.colour(COLOURS[index % COLOURS.length]!),
          width: 1.5,
          points: { show: false },
          dash: dashOf(Math.floor(index / COLOURS.length)),
          value: (_plot: uPlot, rate: number | null) => (rate === null ? '–' : rate.toFixed(1)),
        })),
      ],
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

/** Lines that share a colour get different dashes. */
function dashOf(round: number): number[] {
  return round === 0 ? [] : [6 / round, 4];
}
