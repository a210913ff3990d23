import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { feed } from '../feed/feed.js';
import { AgeOf } from '../time/age-of.js';
import { asOfOutage } from '../ui/as-of.js';
import { Badge } from '../ui/badge.js';
import { WithCopy } from '../ui/copy-button.js';
import { EmptyState } from '../ui/empty-state.js';
import { Section } from '../ui/page.js';
import { Table, type TableColumn } from '../ui/table.js';
import { processName } from './process-text.js';
import './processes-section.css';

const ordered = computed(() =>
  Object.values(feed.processes.value)
    .map((process) => ({ process, name: processName(process.processId) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
);

interface Line {
  readonly process: ProcessRow;
  readonly name: string;
}

const figure = (title: string, text: (process: ProcessRow) => ComponentChildren, hint?: string) => ({
  title,
  number: true,
  cell: ({ process }: Line) => text(process),
  ...(hint !== undefined && { hint }),
});

const ms = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} ms`);

const COLUMNS: readonly TableColumn<Line>[] = [
  { title: 'Process', cell: (line) => <ProcessName {...line} /> },
  { title: 'Role', cell: ({ process }) => <Role process={process} /> },
  figure('Lease age', ({ leaseAgeMs }) => ms(leaseAgeMs), 'Time since the lease was last confirmed'),
  figure('Detections/s', ({ detectionsPerSecond }) => detectionsPerSecond.toFixed(1)),
  figure('Lag', ({ lagMs }) => ms(lagMs), 'Age of detections when they reach the callbacks'),
  figure('Delivered', ({ delivered }) => delivered.toLocaleString('en-GB')),
  figure('Redelivered', ({ redelivered }) => redelivered.toLocaleString('en-GB')),
  figure(
    'Partitions',
    ({ partitions }) => partitions.length || '–',
    'A process handles the detections of the partitions that it owns',
  ),
  figure('Uptime', ({ startedAt }) => <AgeOf iso={startedAt} />),
];

export function ProcessesSection() {
  return (
    <Section title="Backend processes" note={asOfOutage(feed.processesOutage.value)}>
      {ordered.value.length === 0 ? (
        <EmptyState title="No reports from processes yet" icon="clock" />
      ) : (
        <div class="panel">
          <Table
            label="Table of backend processes"
            class="processes"
            columns={COLUMNS}
            items={ordered.value}
            keyOf={({ process }) => process.processId}
          />
        </div>
      )}
    </Section>
  );
}

function ProcessName({ process, name }: Line) {
  return (
    <div class="process-name">
      <WithCopy id={process.processId}>
        <bdi class="cut" title={process.processId}>
          {name}
        </bdi>
      </WithCopy>
      {process.processId === feed.servedBy.value && (
        <span class="muted" title="This process serves the page">
          this page
        </span>
      )}
    </div>
  );
}

function Role({ process: { role, mayAct, term } }: { readonly process: ProcessRow }) {
  if (role === 'follower') return <Badge tone="muted">Follower</Badge>;
  // Without the service or Redis this page cannot know which process leads now.
  if (feed.processesOutage.value !== null) return <Badge tone="muted">Last known master</Badge>;
  return mayAct ? (
    <Badge tone="info" icon="crown" title={`Term ${term}`}>
      Master
    </Badge>
  ) : (
    <Badge tone="warn" icon="clock" title="It is master, but must not act until its lease is confirmed again">
      Master, suspended
    </Badge>
  );
}
