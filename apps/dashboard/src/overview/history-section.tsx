import { RESOLUTIONS, type ClusterHistory, type HistoryRange } from '@detector-cluster/dashboard-protocol';
import { useEffect, useMemo } from 'preact/hooks';
import type { Answer } from '../api/answer.js';
import { clusterApi } from '../api/cluster-api.js';
import { useAnswer } from '../api/use-answer.js';
import { feed } from '../feed/feed.js';
import { route } from '../shell/router.js';
import { RangeSelect } from '../time/period-fields.js';
import { rangeOf } from '../time/period.js';
import { asOfOutage } from '../ui/as-of.js';
import { Notice, Problem } from '../ui/notice.js';
import { Section } from '../ui/page.js';
import { HistoryChart } from './history-chart.js';
import { chartsOf } from './history-charts.js';

/** The figures of the cluster over time, as its masters recorded them: the same on every replica, and after a reload. */
export function HistorySection() {
  const range = rangeOf(route.value.parameters) ?? '15m';
  const answer = useHistory(range);
  const history = answer.value.value;
  const charts = useMemo(() => (history === null ? [] : chartsOf(history)), [history]);
  return (
    <Section title="History" note={asOfOutage(feed.outage.value)} end={<RangeSelect usual={range} />}>
      <Problem of={answer}>The history is not available.</Problem>
      {history === null && answer.problem.value === null && feed.processesOutage.value !== null && (
        <Notice tone="warn">The history is not available until the outage ends.</Notice>
      )}
      <div class="history-charts" aria-busy={history === null && answer.problem.value === null}>
        {charts.map((chart) => (
          <HistoryChart key={chart.name} chart={chart} />
        ))}
      </div>
    </Section>
  );
}

/** A page asks for a chart whose points are longer than this as often as this. Milliseconds. */
const MAX_PAUSE = 60_000;

/**
 * The history over a time range, asked for now and once per interval while the page is visible and the service answers. That of the
 * previous range stays until the answer arrives: without it, what is below the charts would move up and down again.
 */
function useHistory(range: HistoryRange): Answer<ClusterHistory> {
  const answer = useAnswer(() => clusterApi.history(range), [range]);
  const live = feed.answers.value;
  useEffect(() => {
    if (!live) return undefined;
    const ask = () => {
      if (document.visibilityState === 'visible' && !answer.loading.peek()) void answer.load();
    };
    ask();
    const timer = window.setInterval(ask, Math.min(RESOLUTIONS[range].step, MAX_PAUSE));
    document.addEventListener('visibilitychange', ask);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [answer, range, live]);
  return answer;
}
