import type { SkippedRow } from '@detector-cluster/dashboard-protocol';
import { useMemo } from 'preact/hooks';
import { feed } from '../feed/feed.js';
import { workerNames } from '../overview/workers.js';
import { routeHref } from '../shell/route.js';
import { replaceParameters, route } from '../shell/router.js';
import { WithCopy } from '../ui/copy-button.js';
import { EmptyState } from '../ui/empty-state.js';
import { PageViews } from '../ui/page-views.js';
import { Text, TextLink } from '../ui/text.js';
import type { VirtualColumn } from '../ui/virtual-row.js';
import { VirtualTable } from '../ui/virtual-table.js';
import { textOf } from '../wording/phrase.js';
import { ExplainDialog } from './explain-dialog.js';
import { SKIP_REASONS } from './reason-text.js';
import { nextSort, naturalKey } from './subscription-entry.js';
import { SubscriptionFilters } from './subscription-filters.js';
import { SubscriptionIndex } from './subscription-index.js';
import { readQuery, writeQuery, type SubscriptionQuery } from './subscription-query.js';
import './subscription-table.css';
import { SubscriptionTable } from './subscription-table.js';

export function SubscriptionsPage() {
  const { page, parameters } = route.value;
  const query = useMemo(() => readQuery(parameters), [parameters]);
  const show = (part: Partial<SubscriptionQuery>) =>
    replaceParameters(page, writeQuery({ ...query, ...part }));
  return (
    <div class="page subscriptions-page">
      <PageViews
        title="Subscriptions"
        views={[
          {
            name: 'Subscriptions',
            href: routeHref('subscriptions'),
            current: query.view === 'subscriptions',
            count: feed.subscriptionsKnown.value ? Object.keys(feed.subscriptions.value).length : null,
          },
          {
            name: 'Skipped displays',
            href: routeHref('subscriptions', { view: 'skipped' }),
            current: query.view === 'skipped',
            count: Object.keys(feed.skipped.value).length,
          },
        ]}
      />
      {query.view === 'skipped' ? <SkippedTable /> : <Subscriptions query={query} show={show} />}
      {query.explained !== '' && (
        <ExplainDialog
          key={query.explained}
          subscriptionIdentifier={query.explained}
          onClose={() => show({ explained: '' })}
        />
      )}
    </div>
  );
}

interface SubscriptionsProps {
  readonly query: SubscriptionQuery;
  readonly show: (part: Partial<SubscriptionQuery>) => void;
}

function Subscriptions({ query: { filter, sort }, show }: SubscriptionsProps) {
  // Its entries hold the names of workers.
  const index = useMemo(() => new SubscriptionIndex(sort), [workerNames.value]);
  const rows = feed.subscriptions.value;
  const list = useMemo(() => {
    index.sortBy(sort);
    index.update(rows);
    return index.list(filter);
  }, [index, rows, filter, sort]);
  return (
    <>
      <SubscriptionFilters
        filter={filter}
        list={list}
        workerUrls={Object.keys(feed.workers.value)}
        onChange={(changed) => show({ filter: changed })}
      />
      <p class="hidden-visually" role="status">
        {list.entries.length} of {list.total} subscriptions are shown
      </p>
      {list.entries.length === 0 ? (
        <Nothing total={list.total} />
      ) : (
        <SubscriptionTable
          entries={list.entries}
          sort={sort}
          onSort={(column) => show({ sort: nextSort(sort, column) })}
          onOpen={({ row }) => show({ explained: row.subscriptionIdentifier })}
        />
      )}
    </>
  );
}

function Nothing({ total }: { readonly total: number }) {
  if (total > 0)
    return (
      <EmptyState title="No subscription matches the filter" icon="search">
        {total.toLocaleString('en-GB')} subscriptions in total.
      </EmptyState>
    );
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

const COLUMNS: readonly VirtualColumn<SkippedRow>[] = [
  { id: 'display', title: 'Display', cell: ({ displayId }) => <Display id={displayId} /> },
  { id: 'reason', title: 'Reason', cell: ({ reason }) => <Text value={textOf(SKIP_REASONS, reason)} /> },
  { id: 'detail', title: 'Detail', cell: ({ detail }) => <Text value={detail} /> },
];

/** Displays in the database without a subscription, and why. */
export function SkippedTable() {
  const rows = Object.values(feed.skipped.value).sort((a, b) =>
    naturalKey(a.displayId) < naturalKey(b.displayId) ? -1 : 1,
  );
  if (rows.length === 0)
    return (
      <EmptyState title="No skipped displays" icon="check">
        Every display in the database has a subscription.
      </EmptyState>
    );
  return (
    <VirtualTable
      label="Skipped displays"
      layout="skipped"
      columns={COLUMNS}
      items={rows}
      keyOf={({ displayId }) => displayId}
    />
  );
}

function Display({ id }: { readonly id: string }) {
  if (id === '') return <span class="muted">Unreadable</span>;
  return (
    <WithCopy id={id}>
      <TextLink href={routeHref('manage', { kind: 'displays', text: id })} value={id} />
    </WithCopy>
  );
}
