import type { WorkerScore } from '../api/cluster-types.js';
import { Badge } from '../ui/badge.js';
import { Section } from '../ui/page.js';
import { Table, type TableColumn } from '../ui/table.js';
import { textOf } from '../wording/phrase.js';
import { WorkerLink } from '../overview/worker-link.js';
import { byName } from '../overview/workers.js';
import { REJECTIONS } from './plan-text.js';
import './plan.css';

const share = (value: number | null): string => (value === null ? '–' : `${Math.round(value * 100)} %`);

const component = (name: keyof WorkerScore['components'], title: string): TableColumn<WorkerScore> => ({
  title,
  number: true,
  cell: ({ components }) => share(components[name]),
});

const COLUMNS: readonly TableColumn<WorkerScore>[] = [
  { title: 'Worker', cell: ({ url }) => <WorkerLink url={url} /> },
  { title: 'Load', cell: ({ load }) => <LoadBar load={load} /> },
  {
    title: 'Allocated',
    number: true,
    cell: ({ allocated, capacity }) => `${rounded(allocated)} / ${rounded(capacity)}`,
  },
  component('allocation', 'Allocation'),
  component('cpu', 'CPU'),
  component('memory', 'Memory'),
  component('gpu', 'GPU'),
  component('gpuMemory', 'GPU memory'),
  {
    title: 'Takes cameras',
    cell: ({ rejects }) =>
      rejects === null ? (
        <Badge tone="ok">Yes</Badge>
      ) : (
        <Badge tone="warn">No: {textOf(REJECTIONS, rejects)}</Badge>
      ),
  },
];

/** The load of each worker after the plan. */
export function WorkerScores({ scores }: { readonly scores: readonly WorkerScore[] }) {
  return (
    <Section
      title="Workers after the plan"
      end={
        <p class="muted">
          The load is the weighted sum of the known figures. What workers report is averaged over about 30
          seconds.
        </p>
      }
    >
      {scores.length === 0 ? (
        <p class="muted">There are no workers.</p>
      ) : (
        <div class="panel">
          <Table
            label="Load of each worker after the plan"
            columns={COLUMNS}
            items={scores.toSorted((a, b) => byName(a.url, b.url))}
            keyOf={({ url }) => url}
          />
        </div>
      )}
    </Section>
  );
}

function rounded(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 2 });
}

/** A load as a bar and a number; above 1 it exceeds a limit. */
export function LoadBar({ load }: { readonly load: number }) {
  const shown = Math.max(0, Math.min(1, load));
  return (
    <span class={load > 1 ? 'load-bar load-bar-over' : 'load-bar'}>
      <span class="load-bar-track" aria-hidden="true">
        <span class="load-bar-fill" style={{ inlineSize: `${shown * 100}%` }} />
      </span>
      <span class="load-bar-number">{share(load)}</span>
    </span>
  );
}
