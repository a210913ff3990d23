import { RESOLUTIONS, type HistoryRange } from '@detector-cluster/dashboard-protocol';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Answer } from '../../api/answer.js';
import { clusterApi } from '../../api/cluster-api.js';
import { feed } from '../../feed/feed.js';
import { replaceParameters, route } from '../../shell/router.js';
import { theme } from '../../shell/theme.js';
import { RangeSelect } from '../../time/range-select.js';
import { rangeOf } from '../../time/time-range.js';
import { Notice } from '../../ui/notice.js';
import { chartsOf, type ChartData } from './history-charts.js';
import './history-section.css';
import { TimePlot, type PlotSpan } from './time-plot.js';

/** A page asks for a chart whose points are longer than this as often as this. Milliseconds. */
const LONGEST_PAUSE = 60_000;

/** The figures of the cluster over time, as its masters recorded them: the same on every replica, and after a reload. */
export function HistorySection() {
  const { page, parameters } = route.value;
  const range = rangeOf(parameters) ?? '15m';
  const answer = useMemo(() => new Answer(() => clusterApi.history(range)), [range]);
  useAsked(answer, range);
  const history = answer.value.value;
  const charts = useMemo(() => (history === null ? [] : chartsOf(history)), [history]);
  const span = history && { from: Date.parse(history.from) / 1_000, to: Date.parse(history.to) / 1_000 };
  return (
    <section class="section" aria-labelledby="history-title">
      <div class="section-header">
        <h2 id="history-title">History</h2>
        <RangeSelect range={range} onChange={(chosen) => replaceParameters(page, { range: chosen })} />
      </div>
      {answer.problem.value !== null && (
        <Notice tone="warn">The history is not available. {answer.problem.value}</Notice>
      )}
      <div class="history-charts" aria-busy={history === null && answer.problem.value === null}>
        {span !== null && charts.map((chart) => <Chart key={chart.name} chart={chart} span={span} />)}
      </div>
    </section>
  );
}

/** Asks now and once per interval, while the page is visible and has a service to ask. */
function useAsked(answer: Answer<unknown>, range: HistoryRange): void {
  const live = feed.connection.value.phase === 'live' && feed.sources.value.redis?.ok !== false;
  useEffect(() => {
    if (!live) return undefined;
    const ask = () => {
      if (document.visibilityState === 'visible' && !answer.loading.peek()) void answer.load();
    };
    ask();
    const timer = window.setInterval(ask, Math.min(RESOLUTIONS[range].step, LONGEST_PAUSE));
    document.addEventListener('visibilitychange', ask);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [answer, range, live]);
}

function Chart({ chart, span }: { readonly chart: ChartData; readonly span: PlotSpan }) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useSignal<TimePlot | null>(null);
  const chosen = theme.value;
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
  }, [chosen]);
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
