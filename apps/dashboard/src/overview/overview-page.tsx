import { computed } from '@preact/signals';
import { askToRebalance, askToRegenerate, askToResign } from '../actions/cluster-actions.js';
import { lastRebalance, rebalanceProgress } from '../actions/rebalance-progress.js';
import { AlertsSection } from '../alerts/alerts-section.js';
import { feed } from '../feed/feed.js';
import { routeHref } from '../shell/route.js';
import { now } from '../time/clock.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { HistorySection } from './history/history-section.js';
import { ProcessesSection } from './processes/processes-section.js';
import { masterOf } from './summary/summary.js';
import { SummaryTiles } from './summary/summary-tiles.js';
import { WorkersSection } from './workers/workers-section.js';

const rebalance = computed(() => rebalanceProgress(lastRebalance.value, feed.subscriptions.value, now.value));

export function OverviewPage() {
  return (
    <div class="page">
      <div class="page-header">
        <h1>Overview</h1>
        <ClusterActions />
      </div>
      <SummaryTiles />
      <AlertsSection />
      <HistorySection />
      <ProcessesSection />
      <WorkersSection />
    </div>
  );
}

function ClusterActions() {
  const master = masterOf(Object.values(feed.processes.value));
  return (
    <div class="actions">
      <RebalanceBadge />
      <Button onClick={askToRegenerate}>Regenerate</Button>
      <Button onClick={askToRebalance}>Rebalance</Button>
      <Button disabled={master === null} onClick={() => master !== null && askToResign(master)}>
        Resign master
      </Button>
    </div>
  );
}

/** Tells how far the rebalance that this page requested has come. */
function RebalanceBadge() {
  const progress = rebalance.value;
  if (progress === null) return null;
  const { moved, total } = progress;
  return (
    <a href={routeHref('plan')}>
      <Badge
        tone={moved === total ? 'ok' : 'info'}
        title="Cameras that run on the worker that the rebalance planned for them"
      >
        Rebalance: {moved} of {total} moved
      </Badge>
    </a>
  );
}
