import type { SkippedRow } from '@detector-cluster/dashboard-protocol';
import { feed } from '../../feed/feed.js';
import { routeHref } from '../../shell/route.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Text } from '../../ui/text.js';
import { TextLink } from '../../ui/text-link.js';
import { WithCopy } from '../../ui/with-copy.js';
import type { VirtualColumn } from '../../ui/virtual-table/virtual-row.js';
import { VirtualTable } from '../../ui/virtual-table/virtual-table.js';
import { textOf } from '../../wording/texts.js';
import { naturalKey } from '../list/natural-key.js';
import { SKIP_REASONS } from '../reason-text.js';

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
      <div class="panel">
        <EmptyState title="No skipped displays" icon="check">
          Every display in the database has a subscription.
        </EmptyState>
      </div>
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
