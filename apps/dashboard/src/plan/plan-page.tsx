import { askToRebalance, askToRegenerate } from '../actions/cluster-actions.js';
import { RebalanceBadge } from '../actions/rebalance-badge.js';
import { clusterApi } from '../api/cluster-api.js';
import { useLoaded } from '../api/use-answer.js';
import { AsOf } from '../ui/as-of.js';
import { Button } from '../ui/button.js';
import { Problem } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { PlanView } from './plan-view.js';
import './plan.css';

export function PlanPage() {
  const answer = useLoaded(() => clusterApi.plan(false), []);
  const plan = answer.value.value;
  return (
    <Page
      title="Plan"
      note="What the master would do if it planned now. Viewing the plan changes nothing."
      end={
        <div class="actions">
          <RebalanceBadge />
          <AsOf answer={answer} />
          <Button changes size="small" onClick={askToRegenerate}>
            Read the database again…
          </Button>
          <Button changes size="small" onClick={askToRebalance}>
            Rebalance…
          </Button>
        </div>
      }
    >
      <div class="plan-answer" aria-live="polite" aria-busy={answer.loading.value}>
        <Problem of={answer}>The plan is not available.</Problem>
        {plan === null && answer.loading.value && <p class="muted">Asking the master…</p>}
      </div>
      {plan !== null && <PlanView plan={plan} />}
    </Page>
  );
}
