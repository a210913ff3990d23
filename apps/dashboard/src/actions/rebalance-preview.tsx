import { clusterApi } from '../api/cluster-api.js';
import { useLoaded } from '../api/use-answer.js';
import { PlanView } from '../plan/plan-view.js';
import { Notice } from '../ui/notice.js';
import './rebalance.css';

/** What a rebalance would do now. */
export function RebalancePreview() {
  const { value: plan, problem } = useLoaded(() => clusterApi.plan(true), []);
  return (
    <>
      <p>
        The master balances the load now, even if the difference is too small for it to do so automatically.
      </p>
      <div class="preview" aria-busy={plan.value === null && problem.value === null}>
        {problem.value !== null && <Notice tone="warn">The preview cannot be shown: {problem.value}</Notice>}
        {plan.value === null && problem.value === null && (
          <p role="status" class="muted">
            Loading the preview…
          </p>
        )}
        {plan.value !== null && <PlanView plan={plan.value} />}
      </div>
    </>
  );
}
