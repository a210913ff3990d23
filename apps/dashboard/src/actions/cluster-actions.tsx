import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { clusterApi } from '../api/cluster-api.js';
import { useLoaded } from '../api/use-answer.js';
import { PlanView } from '../plan/plan-view.js';
import { Notice } from '../ui/notice.js';
import { confirmAction } from './confirm-dialog.js';
import './rebalance.css';

export function askToRegenerate(): void {
  confirmAction({
    title: 'Read the database again?',
    body: () => (
      <p>
        The master reads the desired state again and sends the changes to the workers. It also does this
        automatically after each change and at regular intervals. No camera moves to balance the load.
      </p>
    ),
    confirm: 'Read again',
    run: async () => {
      await clusterApi.regenerate();
      return 'The master has read the desired state and planned.';
    },
  });
}

export function askToRebalance(): void {
  confirmAction({
    title: 'Rebalance now?',
    body: RebalancePreview,
    confirm: 'Rebalance',
    wide: true,
    run: async () => {
      const { accepted } = await clusterApi.rebalance();
      if (!accepted) throw new Error('the master has not accepted the request; try again');
      return 'The master has planned again and balances the load.';
    },
  });
}

/** What a rebalance would do now. */
function RebalancePreview() {
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

/** Only the shown term ends. A master that was elected in the meantime does not resign. */
export function askToResign({ processId, identifier, term }: ProcessRow): void {
  confirmAction({
    title: 'Hand over to another process?',
    body: () => (
      <>
        <p>
          <bdi title={`${processId}, term ${term}`}>{identifier}</bdi> is master.
        </p>
        <p>
          Another process becomes master within about a second. If this is the only process, it becomes master
          again. Cameras keep running in the meantime.
        </p>
      </>
    ),
    confirm: 'Hand over',
    tone: 'danger',
    run: async () => {
      await clusterApi.resign(term);
      return `${identifier} has handed over.`;
    },
  });
}
