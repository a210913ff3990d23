import { clusterApi } from '../api/cluster-api.js';
import type { ExplanationAnswer, WorkerVerdict } from '../api/cluster-types.js';
import { useLoaded } from '../api/use-answer.js';
import { CameraLink } from '../cameras/camera-card.js';
import { feed } from '../feed/feed.js';
import { WorkerLink } from '../overview/worker-link.js';
import { actionText, heldText, rejectionText, REJECTIONS } from '../plan/plan-text.js';
import { LoadBar } from '../plan/worker-scores.js';
import { AgeOf } from '../time/age-of.js';
import { AsOf } from '../ui/as-of.js';
import { Badge } from '../ui/badge.js';
import { Id } from '../ui/copy-button.js';
import { Dialog } from '../ui/dialog.js';
import { Facts } from '../ui/facts.js';
import { Problem } from '../ui/notice.js';
import { Table, type TableColumn } from '../ui/table.js';
import { counted } from '../wording/counted.js';
import { textOf } from '../wording/phrase.js';
import './explain-dialog.css';
import { REASON_DETAILS, reasonText } from './reason-text.js';
import { StatusBadge } from './status-badge.js';
import { splitIdentifier } from './subscription-entry.js';

export interface ExplainDialogProps {
  readonly subscriptionIdentifier: string;
  readonly onClose: () => void;
}

/** Why a subscription has its status, where it runs, and which workers could take it. */
export function ExplainDialog({ subscriptionIdentifier, onClose }: ExplainDialogProps) {
  const answer = useLoaded(() => clusterApi.explain(subscriptionIdentifier), [subscriptionIdentifier]);
  const [displayId, cameraId] = splitIdentifier(subscriptionIdentifier);
  const explanation = answer.value.value;
  return (
    <Dialog title="Explain the subscription" wide onClose={onClose}>
      <Facts
        of={{
          Display: <bdi>{displayId}</bdi>,
          Camera: cameraId === '' ? '–' : <CameraLink cameraId={cameraId} />,
          Identifier: <Id text={subscriptionIdentifier} what="the identifier of the subscription" />,
          Status: <Status subscriptionIdentifier={subscriptionIdentifier} />,
        }}
      />
      <div role="status">
        <Problem of={answer}>The explanation is not available.</Problem>
        {explanation === null && answer.loading.value && <p class="muted">Asking the master…</p>}
      </div>
      {explanation !== null && (
        <div class="explain-answer">
          <Explanation explanation={explanation} />
        </div>
      )}
      <AsOf answer={answer} />
    </Dialog>
  );
}

/** Read from the feed, so that it stays current while the dialog is open. */
function Status({ subscriptionIdentifier }: Pick<ExplainDialogProps, 'subscriptionIdentifier'>) {
  const rows = feed.subscriptions.value;
  if (!Object.hasOwn(rows, subscriptionIdentifier))
    return (
      <span class="muted">
        {feed.subscriptionsKnown.value ? 'This subscription does not exist.' : 'Loading…'}
      </span>
    );
  const { detail: ofWorker, reason, since, status } = rows[subscriptionIdentifier]!;
  const detail = textOf(REASON_DETAILS, reason);
  return (
    <>
      <div class="explain-status">
        <StatusBadge status={status} />
        <span dir="auto">{reasonText(reason)}</span>
        <span class="muted">
          for <AgeOf iso={since} />
        </span>
      </div>
      {ofWorker !== '' && (
        <p>
          The worker says: <bdi>{ofWorker}</bdi>
        </p>
      )}
      {detail !== reason && <p class="muted">{detail}</p>}
    </>
  );
}

/** The master's explanation of one subscription. */
function Explanation({ explanation }: { readonly explanation: ExplanationAnswer }) {
  const { actions, held, model, moving, plannedUrl, subscriptions, unplaced, workerUrl, workers } =
    explanation;
  const others = subscriptions.length - 1;
  return (
    <>
      <Facts
        of={{
          'Runs on': <Where url={workerUrl} />,
          'Planned for':
            plannedUrl === workerUrl && plannedUrl !== null ? 'The same worker' : <Where url={plannedUrl} />,
          'Why no worker': unplaced && rejectionText(unplaced),
          Moving: moving && (
            <>
              from <Where url={moving.from} /> to <Where url={moving.to} />
            </>
          ),
          Next: actions.length > 0 && actions.map((action) => <p key={action.type}>{actionText(action)}</p>),
          Held: held && heldText(held),
          Model: model && <Model model={model} />,
          'Its camera':
            (others === 0
              ? 'has no other subscriptions'
              : `has ${counted(others, 'other subscription')}; they run on the same worker`) +
            `, cost ${explanation.cost}, priority ${explanation.priority}`,
        }}
      />
      <WorkerVerdicts workers={workers} workerUrl={workerUrl} />
    </>
  );
}

function Model({ model }: { readonly model: NonNullable<ExplanationAnswer['model']> }) {
  return (
    <>
      <bdi>{model.modelName}</bdi>
      {model.version !== null && (
        <>
          , version <bdi>{model.version}</bdi>
        </>
      )}
      {model.next !== null && (
        <>
          , next <bdi>{model.next}</bdi>
        </>
      )}
      {model.isCanary && <Badge tone="info">Canary</Badge>}
    </>
  );
}

function Where({ url }: { readonly url: string | null }) {
  if (url === null) return <span class="muted">nowhere</span>;
  return <WorkerLink url={url} />;
}

interface WorkerVerdictsProps {
  readonly workers: readonly WorkerVerdict[];
  /** Where it runs. */
  readonly workerUrl: string | null;
}

/** Each worker as a candidate for one camera. */
function WorkerVerdicts({ workers, workerUrl }: WorkerVerdictsProps) {
  if (workers.length === 0) return <p class="muted">There are no workers.</p>;
  const columns: readonly TableColumn<WorkerVerdict>[] = [
    {
      title: 'Worker',
      cell: ({ url }) => (
        <>
          <WorkerLink url={url} />
          {url === workerUrl && <Badge tone="info">Runs here</Badge>}
        </>
      ),
    },
    { title: 'Load with this camera', cell: ({ load }) => <LoadBar load={load} /> },
    {
      title: 'Score',
      number: true,
      hint: 'Load minus the preference for the worker. The lowest value wins.',
      cell: ({ score }) => score.toFixed(3),
    },
    {
      title: 'Preference',
      number: true,
      hint: 'Raised by models that the worker has loaded, lowered by an earlier failure, and by 10 for each kind of worker that the camera prefers to it.',
      cell: ({ preference }) => preference.toFixed(3),
    },
    {
      title: 'Can take it',
      cell: ({ rejections }) =>
        rejections.length === 0 ? (
          <Badge tone="ok">Yes</Badge>
        ) : (
          <bdi>No: {rejections.map((reason) => textOf(REJECTIONS, reason)).join(', ')}</bdi>
        ),
    },
  ];
  return (
    <div class="panel">
      <Table
        label="Workers: those that can take it first, best first"
        columns={columns}
        items={workers}
        keyOf={({ url }) => url}
      />
    </div>
  );
}
