import { clusterApi } from '../api/cluster-api.js';
import type { PlanAction, PlanAnswer } from '../api/cluster-types.js';
import { useLoaded } from '../api/use-answer.js';
import { workerName } from '../overview/workers.js';
import { actionText, heldText } from '../plan/plan-text.js';
import { Notice } from '../ui/notice.js';
import { counted } from '../wording/counted.js';
import './rebalance.css';

/** The preview lists at most this many steps. */
const SHOWN = 50;

/** What a rebalance would do now. */
export function RebalancePreview() {
  const { value: plan, problem } = useLoaded(() => clusterApi.plan(true), []);
  return (
    <>
      <p>
        The master balances the load now, even if the difference is too small for it to do so automatically.
      </p>
      <div aria-live="polite" class="preview" aria-busy={plan.value === null && problem.value === null}>
        {problem.value !== null && <Notice tone="warn">The preview cannot be shown: {problem.value}</Notice>}
        {plan.value === null && problem.value === null && <p class="muted">Loading the preview…</p>}
        {plan.value !== null && <Preview plan={plan.value} />}
      </div>
    </>
  );
}

function Preview({ plan }: { readonly plan: PlanAnswer }) {
  const steps = plan.actions.length + plan.omitted.actions;
  const held = plan.held.length + plan.omitted.held;
  const shown = plan.actions.slice(0, SHOWN);
  return (
    <>
      {plan.frozen && (
        <Notice tone="warn">
          The cluster is frozen: most workers disappeared at once, which suggests a network failure. Nothing
          moves.
        </Notice>
      )}
      <h3>{steps === 0 ? 'No changes needed' : `This takes ${counted(steps, 'step')}`}</h3>
      {shown.length > 0 && (
        <ul class="preview-steps">
          {shown.map((action) => (
            <Step key={JSON.stringify(action)} action={action} />
          ))}
        </ul>
      )}
      {steps > shown.length && <p class="muted">and {steps - shown.length} more</p>}
      {held > 0 && (
        <details>
          <summary>{counted(held, 'move waits', 'moves wait')}</summary>
          <ul class="preview-steps">
            {plan.held.slice(0, SHOWN).map((move) => (
              <li key={`${move.unitId} ${move.from}`}>
                <bdi class="cut preview-camera">{move.unitId}</bdi>
                <span class="muted">{heldText(move)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Step({ action }: { readonly action: PlanAction }) {
  const { unitId, from, to } = action;
  return (
    <li>
      <bdi class="cut preview-camera" title={unitId}>
        {unitId}
      </bdi>
      <span>
        {from !== undefined && <bdi>{workerName(from)}</bdi>}
        {from !== undefined && to !== undefined && ' → '}
        {to !== undefined && <bdi>{workerName(to)}</bdi>}
        <span class="muted"> {actionText(action)}</span>
      </span>
    </li>
  );
}
