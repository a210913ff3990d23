import { workerName } from '../overview/workers.js';
import { AgeOf } from '../time/age-of.js';
import { Text } from '../ui/text.js';
import type { VirtualColumn } from '../ui/virtual-row.js';
import { VirtualTable } from '../ui/virtual-table.js';
import { StatusBadge } from './status-badge.js';
import type { SubscriptionEntry, SubscriptionColumn, SubscriptionSort } from './subscription-entry.js';
import './subscription-table.css';

const COLUMNS: readonly VirtualColumn<SubscriptionEntry, SubscriptionColumn>[] = [
  { id: 'display', title: 'Display', cell: ({ displayId }) => <Text value={displayId} /> },
  { id: 'camera', title: 'Camera', cell: ({ cameraId }) => <Text value={cameraId} /> },
  { id: 'worker', title: 'Worker', cell: ({ row }) => <Worker url={row.workerUrl} /> },
  { id: 'model', title: 'Model', cell: ({ model }) => <Text value={model} /> },
  { id: 'status', title: 'Status', cell: ({ row }) => <StatusBadge status={row.status} /> },
  { id: 'reason', title: 'Reason', cell: ({ reason }) => <Text value={reason} /> },
  { id: 'since', title: 'Since', cell: ({ row }) => <AgeOf iso={row.since} /> },
];

export interface SubscriptionTableProps {
  readonly entries: readonly SubscriptionEntry[];
  readonly sort: SubscriptionSort;
  readonly onSort: (column: SubscriptionColumn) => void;
  readonly onOpen: (entry: SubscriptionEntry) => void;
}

export function SubscriptionTable({ entries, sort, onSort, onOpen }: SubscriptionTableProps) {
  return (
    <VirtualTable
      label="Subscriptions; press Enter to explain one"
      layout="subscriptions"
      columns={COLUMNS}
      items={entries}
      keyOf={keyOf}
      sort={sort}
      onSort={onSort}
      onOpen={onOpen}
    />
  );
}

function Worker({ url }: { readonly url: string }) {
  if (url === '') return <span class="muted">No worker</span>;
  return (
    <bdi class="cut" title={url}>
      {workerName(url)}
    </bdi>
  );
}

function keyOf({ row }: SubscriptionEntry): string {
  return row.subscriptionIdentifier;
}
