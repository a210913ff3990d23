import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { useMemo, useState } from 'preact/hooks';
import { SearchField } from '../ui/search-field.js';
import { Text } from '../ui/text.js';
import type { VirtualColumn } from '../ui/virtual-row.js';
import { VirtualTable } from '../ui/virtual-table.js';
import { WorkerBadges } from './worker-standing.js';
import './worker-table.css';
import {
  workerHref,
  workerName,
  findWorkers,
  sortWorkers,
  type WorkerColumn,
  type WorkerSort,
} from './workers.js';

const COLUMNS: readonly VirtualColumn<WorkerRow, WorkerColumn>[] = [
  { id: 'worker', title: 'Worker', cell: ({ url }) => <Text value={workerName(url)} /> },
  { id: 'state', title: 'State', cell: (worker) => <WorkerBadges worker={worker} /> },
  { id: 'cpu', title: 'CPU', cell: ({ cpuUsage }) => percent(cpuUsage) },
  { id: 'memory', title: 'Memory', cell: ({ memoryUsage }) => percent(memoryUsage) },
  { id: 'gpu', title: 'GPU', cell: ({ gpuUsage }) => percent(gpuUsage) },
  { id: 'gpuMemory', title: 'GPU memory', cell: ({ gpuMemoryUsage }) => percent(gpuMemoryUsage) },
  { id: 'load', title: 'Subscriptions', cell: load },
];

/** Many workers: the document holds only the rows in view. */
export function WorkerTable({ workers }: { readonly workers: readonly WorkerRow[] }) {
  const [text, setText] = useState('');
  const [sort, setSort] = useState<WorkerSort>({ column: 'worker', descending: false });
  const items = useMemo(() => sortWorkers(findWorkers(workers, text), sort), [workers, text, sort]);
  return (
    <>
      <SearchField
        label="Text in the name or address of a worker"
        placeholder="Worker"
        value={text}
        onChange={setText}
      />
      <VirtualTable
        label="Workers; press Enter to open the page of one"
        layout="workers"
        columns={COLUMNS}
        items={items}
        keyOf={({ url }) => url}
        sort={sort}
        onSort={(column) => {
          // Figures of interest are the high ones.
          const descending =
            sort.column === column ? !sort.descending : column !== 'worker' && column !== 'state';
          setSort({ column, descending });
        }}
        onOpen={({ url }) => (window.location.hash = workerHref(url))}
      />
    </>
  );
}

function percent(value: number | null): string {
  return value === null ? '–' : `${value} %`;
}

function load({ subscriptionCount, capacity }: WorkerRow): string {
  return capacity === null ? String(subscriptionCount) : `${subscriptionCount} of ${capacity}`;
}
