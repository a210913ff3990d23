import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { feed } from '../../feed/feed.js';
import { theme } from '../../shell/theme.js';
import { processName, processNames } from '../processes/process-names.js';
import { rateHistory, sampled } from './histories.js';
import { RatePlot } from './rate-plot.js';
import './rate-chart.css';

/** Detections per second of each process over the last minutes. */
export function RateChart() {
  const frame = useRef<HTMLDivElement>(null);
  const names = useRef<ReadonlyMap<string, string>>(new Map());
  const plot = useSignal<RatePlot | null>(null);
  const chosen = theme.value;

  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const draw = () => {
      plot.peek()?.destroy();
      plot.value = new RatePlot(frame.current!);
    };
    draw();
    dark.addEventListener('change', draw);
    return () => {
      dark.removeEventListener('change', draw);
      plot.peek()?.destroy();
      plot.value = null;
    };
    // Lines are drawn in the colours of the theme.
  }, [chosen]);

  useEffect(() => {
    const series = rateHistory.series();
    const present = processNames(feed.processes.peek());
    // Lines outlive their processes.
    names.current = new Map(
      [...series.rates.keys()].map((nodeId) => [
        nodeId,
        present.get(nodeId) ?? processName(names.current, nodeId),
      ]),
    );
    plot.value?.update(series, (nodeId) => processName(names.current, nodeId));
  }, [sampled.value, plot.value]);

  return (
    <section class="panel rate" aria-labelledby="rate-title">
      <h2 id="rate-title">Detections per second by process</h2>
      <div ref={frame} class="rate-frame" aria-hidden="true" />
      <p class="hidden-visually">The current figures are in the table of backend processes.</p>
    </section>
  );
}
