import type { JSX } from 'preact';
import type { CapacityAnswer, PlanAnswer } from '../api/cluster-types.js';
import { AgeOf } from '../time/age-of.js';
import { Badge } from '../ui/badge.js';
import { Notice } from '../ui/notice.js';
import { counted } from '../wording/counted.js';
import { WorkerLink } from '../overview/worker-link.js';
import { PlanList } from './plan-list.js';
import { type LoadState, loadState, actionText, heldText, rejectionText } from './plan-text.js';
import { WorkerScores } from './worker-scores.js';

const LOAD_STATES: Readonly<Record<LoadState, JSX.Element>> = {
  rebalancing: (
    <Badge tone="info" icon="refresh">
      Rebalancing
    </Badge>
  ),
  balanced: <Badge tone="ok">Load is balanced</Badge>,
  unplaced: (
    <Badge tone="bad" icon="alert">
      Cameras have no worker
    </Badge>
  ),
  'no-room': (
    <Badge tone="warn" icon="alert">
      Moves find no room
    </Badge>
  ),
  'no-worker': (
    <Badge tone="warn" icon="alert">
      No worker accepts cameras
    </Badge>
  ),
};

/** One plan in full. */
export function PlanView({ plan }: { readonly plan: PlanAnswer }) {
  const { actions, capacity, frozen, held, moves, omitted, scores, unplaced } = plan;
  return (
    <>
      <div class="plan-state">
        {LOAD_STATES[loadState(plan)]}
        {frozen && (
          <Badge tone="warn" icon="lock">
            Frozen
          </Badge>
        )}
      </div>
      {frozen && (
        <Notice tone="warn">
          Most workers disappeared at once, which suggests a network failure. Nothing moves for up to a
          minute.
        </Notice>
      )}
      <p class="muted">
        {[
          actions.length === 0 && 'No steps.',
          moves.length === 0 && 'No camera is moving.',
          held.length === 0 && 'No moves are waiting.',
          unplaced.length === 0 && 'Every camera has a worker.',
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      <CapacityText capacity={capacity} />
      <PlanList
        title="Steps"
        items={actions}
        omitted={omitted.actions}
        row={(action) => ({
          camera: action.unitId,
          where: <WorkerRoute from={action.from} to={action.to} />,
          what: actionText(action),
        })}
      />
      <PlanList
        title="Moves in progress"
        items={moves}
        omitted={omitted.moves}
        row={({ unitId, from, to, since }) => ({
          camera: unitId,
          where: <WorkerRoute from={from} to={to} />,
          what: (
            <>
              for <AgeOf iso={since} />; the old worker continues until the new one reports it
            </>
          ),
        })}
      />
      <PlanList
        title="Held moves"
        items={held}
        omitted={omitted.held}
        row={(move) => ({
          camera: move.unitId,
          where: <WorkerRoute from={move.from} to={move.to ?? undefined} />,
          what: heldText(move),
        })}
      />
      <PlanList
        title="Without a worker"
        items={unplaced}
        omitted={omitted.unplaced}
        row={({ unitId, reasons }) => ({ camera: unitId, where: null, what: rejectionText(reasons) })}
      />
      <WorkerScores scores={scores} />
    </>
  );
}

/** Whether there are enough workers, and which one may be removed. */
function CapacityText({ capacity }: { readonly capacity: CapacityAnswer }) {
  const { wantedWorkers, openWorkers, models, emptiestWorker } = capacity;
  return (
    <p class="plan-capacity">
      {counted(openWorkers, 'worker')} {openWorkers === 1 ? 'is' : 'are'} ready and open, and{' '}
      <strong>{wantedWorkers.toLocaleString('en-GB')}</strong> would hold everything.
      {models.length > 0 && (
        <>
          {' '}
          At least so many further cameras find a worker:{' '}
          {models.map(({ model, headroom }, index) => (
            <span key={model}>
              {index > 0 && ', '}
              <bdi>{model}</bdi> {headroom.toLocaleString('en-GB')}
            </span>
          ))}
          .
        </>
      )}
      {emptiestWorker !== null && (
        <>
          {' '}
          <WorkerLink url={emptiestWorker} /> has the least load, and the others have room for its cameras.
        </>
      )}
    </p>
  );
}

/** The old and the new worker; either may be missing. */
export function WorkerRoute({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}) {
  return (
    <>
      {from !== undefined && <WorkerLink url={from} />}
      {from !== undefined && to !== undefined && ' → '}
      {to !== undefined && <WorkerLink url={to} />}
    </>
  );
}
