import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ChartData } from './history-charts.js';
import './history-chart.css';
import { TimePlot, type PlotSpan } from './time-plot.js';

/** One chart of a history. */
export function HistoryChart({ chart, span }: { readonly chart: ChartData; readonly span: PlotSpan }) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useSignal<TimePlot | null>(null);
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const draw = () => {
      plot.peek()?.destroy();
      plot.value = new TimePlot(frame.current!);
    };
    draw();
    dark.addEventListener('change', draw);
    return () => {
      dark.removeEventListener('change', draw);
      plot.peek()?.destroy();
      plot.value = null;
    };
    // Lines are drawn in the colours of the theme.
  }, []);
  useEffect(() => plot.value?.update(chart, span), [chart, span, plot.value]);
  return (
    <figure class="panel history-chart" aria-label={`${chart.name}: ${chart.latest}`}>
      <figcaption>
        <h3>{chart.name}</h3> <span class="history-latest">{chart.latest}</span>
      </figcaption>
      <div ref={frame} class="history-frame" aria-hidden="true" />
    </figure>
  );
}
