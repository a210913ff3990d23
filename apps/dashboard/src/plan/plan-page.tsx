import { askToRebalance, askToRegenerate } from '../actions/cluster-actions.js';
import { RebalanceBadge } from '../actions/rebalance-badge.js';
import { clusterApi } from '../api/cluster-api.js';
import { useLoaded } from '../api/use-answer.js';
import { AsOf } from '../ui/as-of.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { PlanView } from './plan-view.js';
import './plan.css';

export function PlanPage() {
  const answer = useLoaded(() => clusterApi.plan(false), []);
  const plan = answer.value.value;
  return (
    <div class="page plan-page">
      <div class="page-header">
        <div>
          <h1>Plan</h1>
          <p class="muted">What the master would do if it planned now. Viewing the plan changes nothing.</p>
        </div>
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
      </div>
      <div class="plan-answer" aria-live="polite" aria-busy={answer.loading.value}>
        {answer.problem.value !== null && (
          <Notice tone="warn">The plan is not available. {answer.problem.value}</Notice>
        )}
        {plan === null && answer.loading.value && <p class="muted">Asking the master…</p>}
      </div>
      {plan !== null && <PlanView plan={plan} />}
    </div>
  );
}
