import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { feed } from '../../feed/feed.js';
import { routeHref } from '../../shell/route.js';
import { Badge } from '../../ui/badge.js';
import { processName, processNames } from '../processes/process-names.js';
import { summarise } from './summary.js';
import './summary-tiles.css';

const summary = computed(() =>
  summarise({
    workers: feed.workers.value,
    processes: feed.processes.value,
    subscriptions: feed.subscriptions.value,
    skipped: feed.skipped.value,
  }),
);

/** The cluster at a glance. */
export function SummaryTiles() {
  const { master, workers, readyWorkers, subscriptions, byStatus, skipped, processes } = summary.value;
  const { detectionsPerSecond, lagMs } = summary.value;
  const waiting = byStatus.pending + byStatus.recovering;
  return (
    <dl class="tiles panel">
      <Tile name="Master">
        {master === null ? (
          <Badge tone="bad">Nobody leads</Badge>
        ) : (
          <bdi class="cut tile-figure" title={master.nodeId}>
            {processName(processNames(feed.processes.value), master.nodeId)}
          </bdi>
        )}
        <Note>
          {master === null ? '' : `Term ${master.term} · `}
          {processes} {processes === 1 ? 'process' : 'processes'}
        </Note>
      </Tile>
      <Tile name="Workers ready">
        <Figure value={readyWorkers} of={workers} />
        <Note>
          {readyWorkers === workers ? (
            'All take part'
          ) : (
            <Badge tone="warn">{workers - readyWorkers} not</Badge>
          )}
        </Note>
      </Tile>
      <Tile name="Subscriptions active">
        <Figure value={byStatus.active} of={subscriptions} />
        <Note>
          {waiting > 0 && (
            <a href={routeHref('subscriptions', { status: 'pending,recovering' })}>
              <Badge tone="warn">{waiting} waiting</Badge>
            </a>
          )}
          {byStatus.failed > 0 && (
            <a href={routeHref('subscriptions', { status: 'failed' })}>
              <Badge tone="bad">{byStatus.failed} failed</Badge>
            </a>
          )}
          {waiting + byStatus.failed === 0 && 'All that are wanted'}
          {skipped > 0 && <a href={routeHref('subscriptions', { view: 'skipped' })}>{skipped} skipped</a>}
        </Note>
      </Tile>
      <Tile name="Detections a second">
        <span class="tile-figure">{detectionsPerSecond.toFixed(1)}</span>
        <Note>In all processes</Note>
      </Tile>
      <Tile name="Lag">
        <span class="tile-figure">{lagMs === null ? '–' : `${Math.round(lagMs)} ms`}</span>
        <Note>{lagMs === null ? 'No detections yet' : 'Of the slowest process'}</Note>
      </Tile>
    </dl>
  );
}

function Tile({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Figure({ value, of }: { readonly value: number; readonly of: number }) {
  return (
    <span class="tile-figure">
      {value.toLocaleString('en-GB')}
      <span class="tile-of"> / {of.toLocaleString('en-GB')}</span>
    </span>
  );
}

function Note({ children }: { readonly children: ComponentChildren }) {
  return <span class="tile-note">{children}</span>;
}
