import { RebalanceBadge } from '../actions/rebalance-badge.js';
import { clusterApi } from '../api/cluster-api.js';
import { useLoaded } from '../api/use-answer.js';
import { AsOf } from '../ui/as-of.js';
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
