import { useMemo } from 'preact/hooks';
import { replaceParameters, route } from '../../shell/router.js';
import { RangeSelect } from '../../time/range-select.js';
import { rangeOf } from '../../time/time-range.js';
import { Notice } from '../../ui/notice.js';
import { HistoryChart } from './history-chart.js';
import { chartsOf } from './history-charts.js';
import { spanOf } from './time-plot.js';
import { useHistory } from './use-history.js';

/** The figures of the cluster over time, as its masters recorded them: the same on every replica, and after a reload. */
export function HistorySection() {
  const { page, parameters } = route.value;
  const range = rangeOf(parameters) ?? '15m';
  const answer = useHistory(range);
  const history = answer.value.value;
  const charts = useMemo(() => (history === null ? [] : chartsOf(history)), [history]);
  const span = history && spanOf(history);
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
        {span !== null && charts.map((chart) => <HistoryChart key={chart.name} chart={chart} span={span} />)}
      </div>
    </section>
  );
}
