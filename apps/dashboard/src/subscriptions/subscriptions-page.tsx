import type { SkippedRow } from '@detector-cluster/dashboard-protocol';
import { useMemo } from 'preact/hooks';
import { feed } from '../feed/feed.js';
import { WorkerLink } from '../overview/worker-link.js';
import { workerNames } from '../overview/workers.js';
import { workerOptions } from '../overview/workers-section.js';
import { routeHref } from '../shell/route.js';
import { changeParameters, route } from '../shell/router.js';
import { AgeOf } from '../time/age-of.js';
import { Button } from '../ui/button.js';
import { WithCopy } from '../ui/copy-button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ExportButtons } from '../ui/export-buttons.js';
import { FilterBar } from '../ui/filter-bar.js';
import { Page, Views } from '../ui/page.js';
import { SelectField } from '../ui/select-field.js';
import { Table, type TableColumn } from '../ui/table.js';
import { Text, TextLink } from '../ui/text.js';
import { useFirst } from '../ui/use-first.js';
import { counted } from '../wording/counted.js';
import { textOf } from '../wording/phrase.js';
import { ExplainDialog } from './explain-dialog.js';
import { SKIP_REASONS, STATUS_NAMES } from './reason-text.js';
import { StatusBadge } from './status-badge.js';
import {
  naturalKey,
  NO_WORKER,
  STATUSES,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionColumn,
  type SubscriptionEntry,
} from './subscription-entry.js';
import { SubscriptionIndex, type SubscriptionList } from './subscription-index.js';
import { nextSort, queryOf, type SubscriptionQuery } from './subscription-query.js';
import './subscriptions.css';

/** How many more rows each click shows. */
const STEP = 50;

export function SubscriptionsPage() {
  const { view, explain = '' } = route.value.parameters;
  return (
    <Page
      title="Subscriptions"
      end={
        <Views
          page="subscriptions"
          views={[
            [
              '',
              'Subscriptions',
              feed.subscriptionsKnown.value ? Object.keys(feed.subscriptions.value).length : null,
            ],
            ['skipped', 'Skipped displays', Object.keys(feed.skipped.value).length],
          ]}
        />
      }
    >
      {view === 'skipped' ? <SkippedTable /> : <Subscriptions />}
      {explain !== '' && (
        <ExplainDialog
          key={explain}
          subscriptionIdentifier={explain}
          onClose={() => changeParameters({ explain: '' })}
        />
      )}
    </Page>
  );
}

const CELLS: Readonly<Record<SubscriptionColumn, Omit<TableColumn<SubscriptionEntry>, 'sort'>>> = {
  display: { title: 'Display', cell: (entry) => <Display entry={entry} /> },
  camera: { title: 'Camera', cell: ({ cameraId }) => <Text value={cameraId} /> },
  worker: { title: 'Worker', cell: ({ row }) => <Worker url={row.workerUrl} /> },
  model: { title: 'Model', cell: ({ model }) => <Text value={model} /> },
  status: { title: 'Status', cell: ({ row }) => <StatusBadge status={row.status} /> },
  reason: { title: 'Reason', cell: ({ reason }) => <Text value={reason} /> },
  since: { title: 'Since', cell: ({ row }) => <AgeOf iso={row.since} /> },
};

const COLUMNS = SUBSCRIPTION_COLUMNS.map((sort) => ({ ...CELLS[sort], sort }));

function Subscriptions() {
  const { parameters } = route.value;
  const query = useMemo(() => queryOf(parameters), [parameters]);
  const { sort } = query;
  // Its entries hold the names of workers.
  const index = useMemo(() => new SubscriptionIndex(sort), [workerNames.value]);
  const rows = feed.subscriptions.value;
  const list = useMemo(() => {
    index.sortBy(sort);
    index.update(rows);
    return index.list(query);
  }, [index, rows, query]);
  const { shown, more } = useFirst(list.entries, STEP, 'subscriptions');
  return (
    <>
      <Filters query={query} list={list} />
      <p class="muted" role="status">
        {list.total > 0 &&
          `${list.entries.length.toLocaleString('en-GB')} of ${counted(list.total, 'subscription')} match`}
      </p>
      {shown.length === 0 ? (
        <Nothing total={list.total} />
      ) : (
        <div class="panel">
          <Table
            label="Subscriptions"
            class="subscriptions"
            columns={COLUMNS}
            items={shown}
            keyOf={({ row }) => row.subscriptionIdentifier}
            sort={{ ...sort, onSort: (column) => changeParameters({ sort: nextSort(sort, column) }) }}
          />
        </div>
      )}
      {more}
    </>
  );
}

interface FiltersProps {
  readonly query: SubscriptionQuery;
  readonly list: SubscriptionList;
}

function Filters({ query: { text, statuses, worker }, list }: FiltersProps) {
  return (
    <FilterBar
      label="Filter subscriptions"
      searches="Text in display, camera, worker or reason"
      placeholder="Display, camera, worker, model, reason"
    >
      <div class="filter-chips" role="group" aria-label="Status">
        {STATUSES.map((one) => (
          <Button
            key={one}
            pressed={statuses.includes(one)}
            onClick={() => {
              const chosen = STATUSES.filter((each) => statuses.includes(each) !== (each === one));
              changeParameters({ status: chosen.join(',') });
            }}
          >
            {STATUS_NAMES[one]}
            <span class="filter-count">{list.statuses[one].toLocaleString('en-GB')}</span>
          </Button>
        ))}
      </div>
      <SelectField
        label="Worker"
        parameter="worker"
        options={[['', 'All workers'], [NO_WORKER, 'No worker'], ...workerOptions.value]}
      />
      <ExportButtons list="subscriptions" query={{ text, status: statuses.join(','), worker }} />
    </FilterBar>
  );
}

function Nothing({ total }: { readonly total: number }) {
  if (total > 0) return <EmptyState title="No subscription matches the filter" icon="search" />;
  return feed.subscriptionsKnown.value ? (
    <EmptyState title="No subscriptions">
      Displays with a camera and a playlist with a model create subscriptions, and so does the application.
    </EmptyState>
  ) : (
    <EmptyState title="Loading subscriptions" icon="clock">
      Waiting for the service to send them.
    </EmptyState>
  );
}

/** Leads to the explanation. */
function Display({ entry: { displayId, row } }: { readonly entry: SubscriptionEntry }) {
  const { subscriptionIdentifier } = row;
  return (
    <TextLink
      href={routeHref('subscriptions', { ...route.value.parameters, explain: subscriptionIdentifier })}
      value={displayId || subscriptionIdentifier}
      title={`Explain ${subscriptionIdentifier}`}
    />
  );
}

function Worker({ url }: { readonly url: string }) {
  return url === '' ? <span class="muted">No worker</span> : <WorkerLink url={url} />;
}

const SKIPPED_COLUMNS: readonly TableColumn<SkippedRow>[] = [
  { title: 'Display', cell: ({ displayId }) => <SkippedDisplay id={displayId} /> },
  { title: 'Reason', cell: ({ reason }) => <Text value={textOf(SKIP_REASONS, reason)} /> },
  { title: 'Detail', cell: ({ detail }) => <Text value={detail} /> },
];

/** Displays in the database without a subscription, and why. */
function SkippedTable() {
  const rows = Object.values(feed.skipped.value).sort((a, b) =>
    naturalKey(a.displayId) < naturalKey(b.displayId) ? -1 : 1,
  );
  const { shown, more } = useFirst(rows, STEP, 'displays');
  if (rows.length === 0)
    return (
      <EmptyState title="No skipped displays" icon="check">
        Every display in the database has a subscription.
      </EmptyState>
    );
  return (
    <>
      <div class="panel">
        <Table
          label="Skipped displays"
          class="subscriptions"
          columns={SKIPPED_COLUMNS}
          items={shown}
          keyOf={({ displayId }) => displayId}
        />
      </div>
      {more}
    </>
  );
}

function SkippedDisplay({ id }: { readonly id: string }) {
  if (id === '') return <span class="muted">Unreadable</span>;
  return (
    <WithCopy id={id}>
      <TextLink href={routeHref('manage', { kind: 'displays', text: id })} value={id} />
    </WithCopy>
  );
}
