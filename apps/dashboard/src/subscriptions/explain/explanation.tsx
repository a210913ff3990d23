import type { ExplanationAnswer } from '../../api/cluster-types.js';
import { actionText, heldText, rejectionText } from '../../plan/plan-sentence.js';
import { WorkerLink } from '../../worker/worker-link.js';
import { WorkerVerdicts } from './worker-verdicts.js';

/** The master's explanation of one subscription. */
export function Explanation({ explanation }: { readonly explanation: ExplanationAnswer }) {
  const { actions, held, moving, plannedUrl, subscriptions, unplaced, workerUrl, workers } = explanation;
  const others = subscriptions.length - 1;
  return (
    <>
      <dl class="explain-facts">
        <dt>Runs on</dt>
        <dd>
          <Where url={workerUrl} />
        </dd>
        <dt>Planned for</dt>
        <dd>
          {plannedUrl === workerUrl && plannedUrl !== null ? 'The same worker' : <Where url={plannedUrl} />}
        </dd>
        {unplaced !== null && (
          <>
            <dt>Why no worker</dt>
            <dd>{rejectionText(unplaced)}</dd>
          </>
        )}
        {moving !== null && (
          <>
            <dt>Moving</dt>
            <dd>
              from <Where url={moving.from} /> to <Where url={moving.to} />
            </dd>
          </>
        )}
        {actions.length > 0 && (
          <>
            <dt>Next</dt>
            {actions.map((action) => (
              <dd key={action.type}>{actionText(action)}</dd>
            ))}
          </>
        )}
        {held !== null && (
          <>
            <dt>Held</dt>
            <dd>{heldText(held)}</dd>
          </>
        )}
        <dt>Its camera</dt>
        <dd>
          {others === 0
            ? 'has no other subscriptions'
            : `has ${others} other ${others === 1 ? 'subscription' : 'subscriptions'}; they run on the same worker`}
          {`, cost ${explanation.cost}, priority ${explanation.priority}`}
        </dd>
      </dl>
      <WorkerVerdicts workers={workers} workerUrl={workerUrl} />
    </>
  );
}

function Where({ url }: { readonly url: string | null }) {
  if (url === null) return <span class="muted">nowhere</span>;
  return <WorkerLink url={url} />;
}
