import { askToRebalance, askToRegenerate, askToResign } from '../actions/cluster-actions.js';
import { RebalanceBadge } from '../actions/rebalance-badge.js';
import { AttentionSection } from './attention-section.js';
import { feed } from '../feed/feed.js';
import { Button } from '../ui/button.js';
import { Page } from '../ui/page.js';
import { HistorySection } from './history-section.js';
import { ProcessesSection } from './processes-section.js';
import { masterOf } from './summary.js';
import { SummaryTiles } from './summary-tiles.js';
import { WorkersSection } from './workers-section.js';

export function OverviewPage() {
  return (
    <Page title="Overview" end={<ClusterActions />}>
      <AttentionSection />
      <SummaryTiles />
      <HistorySection />
      <ProcessesSection />
      <WorkersSection />
    </Page>
  );
}

function ClusterActions() {
  const master = masterOf(Object.values(feed.processes.value));
  return (
    <div class="actions">
      <RebalanceBadge />
      <Button changes onClick={askToRegenerate}>
        Read the database again
      </Button>
      <Button changes onClick={askToRebalance}>
        Rebalance
      </Button>
      <Button changes disabled={master === null} onClick={() => master !== null && askToResign(master)}>
        Hand over to another process
      </Button>
    </div>
  );
}
