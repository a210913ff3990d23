import type { ExplanationAnswer, WorkerVerdict } from '../api/cluster-types.js';
import { actionText, heldText, rejectionText, REJECTIONS } from '../plan/plan-text.js';
import { LoadBar } from '../plan/worker-scores.js';
import { Badge } from '../ui/badge.js';
import { Facts } from '../ui/facts.js';
import { Table, type TableColumn } from '../ui/table.js';
import { counted } from '../wording/counted.js';
import { textOf } from '../wording/phrase.js';
import { WorkerLink } from '../overview/worker-link.js';

/** The master's explanation of one subscription. */
export function Explanation({ explanation }: { readonly explanation: ExplanationAnswer }) {
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
