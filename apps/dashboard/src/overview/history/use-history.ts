import { RESOLUTIONS, type ClusterHistory, type HistoryRange } from '@detector-cluster/dashboard-protocol';
import { useEffect, useMemo } from 'preact/hooks';
import { Answer } from '../../api/answer.js';
import { clusterApi } from '../../api/cluster-api.js';
import { feed } from '../../feed/feed.js';

/** A page asks for a chart whose points are longer than this as often as this. Milliseconds. */
const LONGEST_PAUSE = 60_000;

/** The history over a time range, asked for now and once per interval while the page is visible and the service answers. */
export function useHistory(range: HistoryRange): Answer<ClusterHistory> {
  const answer = useMemo(() => new Answer(() => clusterApi.history(range)), [range]);
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
  return answer;
}
