import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { IN_UTC } from '../time/zone.js';
import type { ChartData } from './history-charts.js';
import './history-chart.css';

const HEIGHT = 130;
const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const COLOURS = ['--chart-1', '--chart-2'];

const DARK = window.matchMedia('(prefers-color-scheme: dark)');
const dark = signal(DARK.matches);
DARK.addEventListener('change', () => (dark.value = DARK.matches));

/** One chart of a history. It fills the width of its place. */
export function HistoryChart({ chart }: { readonly chart: ChartData }) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shown = useRef(chart);
  shown.current = chart;
  // Lines are drawn in the colours of the theme.
  const look = JSON.stringify([dark.value, ...chart.lines.map(({ label }) => label)]);
  useEffect(() => {
    const element = frame.current!;
    const made = new uPlot(optionsOf(shown, element), dataOf(shown.current), element);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [look]);
  useEffect(() => {
    const { times } = chart;
    const drawn = plot.current!;
    drawn.setData(dataOf(chart));
    // Without a cursor over the chart, the legend shows the latest figures.
    if (times.length > 0 && (drawn.cursor.left ?? -1) < 0) drawn.setLegend({ idx: times.length - 1 });
  }, [chart, look]);
  return (
    <figure class="panel history-chart" aria-label={`${chart.name}: ${chart.latest}`}>
      <figcaption>
        <h3>{chart.name}</h3> <span class="history-latest">{chart.latest}</span>
      </figcaption>
      <div ref={frame} class="history-frame" aria-hidden="true" />
    </figure>
  );
}

function dataOf({ times, lines }: ChartData): uPlot.AlignedData {
  return [times, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
}

/** @param shown what the chart shows now; its lines stay the same */
function optionsOf(shown: { readonly current: ChartData }, frame: HTMLElement): uPlot.Options {
  const axis = {
    stroke: colourIn(frame, '--text-muted'),
    font: `11px ${getComputedStyle(frame).fontFamily}`,
    grid: { stroke: colourIn(frame, '--border'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: frame.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), IN_UTC ? 'Etc/UTC' : BROWSER_ZONE),
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { range: () => [shown.current.from, shown.current.to] },
      y: {
        range: (_plot, _least, highest) => [0, shown.current.most ?? Math.max(1, (highest ?? 0) * 1.1)],
      },
    },
    axes: [
      { ...axis, values: '{HH}:{mm}', space: 70, size: 28 },
      { ...axis, size: 50, space: 36 },
    ],
    series: [
      { value: '{HH}:{mm}:{ss}', label: 'Time' },
      ...shown.current.lines.map(({ label, colour }, index) => ({
        label,
        stroke: colourIn(frame, colour ?? COLOURS[index]!),
        width: 1.5,
        points: { show: false },
        // Undefined: the new figures end before the place that the legend shows.
        value: (_plot: uPlot, value: number | null | undefined) =>
          value?.toLocaleString('en-GB', { maximumFractionDigits: 1 }) ?? '–',
      })),
    ],
  };
}

/** The value of a custom property as a colour for a canvas. */
function colourIn(frame: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  frame.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
