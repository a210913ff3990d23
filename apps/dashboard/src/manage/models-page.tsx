import type { ModelRow } from '@detector-cluster/dashboard-protocol';
import { confirmAction } from '../actions/confirm-dialog.js';
import { clusterApi } from '../api/cluster-api.js';
import { feed } from '../feed/feed.js';
import { WorkerLink } from '../overview/worker-link.js';
import { AgeOf } from '../time/age-of.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { Page } from '../ui/page.js';
import { Table, type TableColumn } from '../ui/table.js';
import { Text } from '../ui/text.js';
import { counted } from '../wording/counted.js';
import './models.css';
import { versionRuns, type VersionRuns } from './version-runs.js';

/** How many workers of a version are named. */
const WORKERS_SHOWN = 3;

interface Line {
  readonly model: ModelRow;
  readonly runs: readonly VersionRuns[];
}

const COLUMNS: readonly TableColumn<Line>[] = [
  { title: 'Model', cell: ({ model }) => <Text value={model.modelName} /> },
  {
    title: 'Versions',
    cell: ({ model, runs }) => (
      <ul class="model-versions">
        {versionsOf(model, runs).map((version) => (
          <li key={version}>
            <Text value={version} mono /> <Role model={model} version={version} />
            <Runs of={runs.find((one) => one.version === version)} all={runs} />
          </li>
        ))}
      </ul>
    ),
  },
  {
    title: 'Changed',
    cell: ({ model }) => (
      <>
        <AgeOf iso={model.since} /> ago
      </>
    ),
  },
  { title: 'Actions', cell: ({ model }) => <Actions model={model} /> },
];

/** Which version of each model runs where, and what an operator can do. */
export function ModelsPage() {
  const runs = versionRuns(feed.subscriptions.value);
  const models = Object.values(feed.models.value)
    .sort((a, b) => a.modelName.localeCompare(b.modelName, 'en'))
    .map((model) => ({ model, runs: runs.get(model.modelName) ?? [] }));
  return (
    <Page title="Models" note="Which version of a model’s file the cameras run, and the way back.">
      {models.length === 0 ? (
        <EmptyState title="No versions">
          No camera runs a model whose file has a known version, or the master has not read them yet.
        </EmptyState>
      ) : (
        <div class="panel">
          <Table
            label="Models and the versions of their files"
            columns={COLUMNS}
            items={models}
            keyOf={({ model }) => `${model.modelId} ${model.modelName}`}
          />
        </div>
      )}
    </Page>
  );
}

/** Those of the master first. A subscription may run another one until its worker has followed. */
function versionsOf(
  { candidate, current, former }: ModelRow,
  runs: readonly VersionRuns[],
): readonly string[] {
  const all = [current, candidate, former, ...runs.map(({ version }) => version)];
  return [...new Set(all.filter((version) => version !== null))];
}

function Role({ model, version }: { readonly model: ModelRow; readonly version: string }) {
  const { candidate, current, former, quietSince, share } = model;
  if (version === current) return <Badge tone="ok">Current</Badge>;
  if (version === candidate && share === 0)
    return (
      <Badge tone="muted" title="The store gives it, and no camera is to run it">
        Rolled back
      </Badge>
    );
  if (version === candidate)
    return (
      <Badge tone="info">
        Canary, {share} % of the cameras
        {quietSince !== null && (
          <>
            , without a failure for <AgeOf iso={quietSince} />
          </>
        )}
      </Badge>
    );
  return version === former ? <Badge tone="muted">Former</Badge> : null;
}

interface RunsProps {
  readonly of: VersionRuns | undefined;
  /** Those of all versions. */
  readonly all: readonly VersionRuns[];
}

function Runs({ of, all }: RunsProps) {
  if (of === undefined) return <span class="muted">no camera</span>;
  const { active, subscriptions, workers } = of;
  const total = all.reduce((sum, one) => sum + one.subscriptions, 0);
  return (
    <span class="model-runs muted">
      {subscriptions < total && `${subscriptions} of `}
      {counted(total, 'subscription')}, {active === subscriptions ? 'all' : active} active
      {workers.length > 0 && ', on '}
      {workers.slice(0, WORKERS_SHOWN).map((url) => (
        <WorkerLink key={url} url={url} />
      ))}
      {workers.length > WORKERS_SHOWN && `and ${workers.length - WORKERS_SHOWN} more`}
    </span>
  );
}

function Actions({ model }: { readonly model: ModelRow }) {
  const { candidate, current, former, share } = model;
  const changes = [
    { verb: 'Run on all cameras', to: candidate, effect: 'All its cameras get it, one after another.' },
    {
      verb: 'End the canary',
      to: candidate !== null && share > 0 ? current : null,
      effect: 'The canary ends, and its cameras go back, one after another.',
    },
    { verb: 'Roll back', to: former, effect: 'All its cameras go back to it, one after another.' },
  ];
  return (
    <div class="actions">
      {changes.map(
        ({ verb, to, effect }) =>
          to !== null && (
            <Button key={verb} changes size="small" onClick={() => ask(model, to, effect)}>
              {verb}…
            </Button>
          ),
      )}
    </div>
  );
}

function ask({ modelId, modelName }: ModelRow, version: string, effect: string): void {
  confirmAction({
    title: 'Change the version of this model?',
    body: () => (
      <>
        <p>
          <bdi>{modelName}</bdi>: <bdi class="mono">{version}</bdi>
        </p>
        <p>{effect} The entry in the database stays as it is.</p>
      </>
    ),
    confirm: 'Change',
    run: async () => {
      const { changed } = await clusterApi.setModelVersion(modelId, version);
      return `${modelName} ${changed === false ? 'already runs' : 'changes to'} version ${version}.`;
    },
  });
}
