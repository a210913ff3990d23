import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { feed } from '../../feed/feed.js';
import { NO_MASTER } from '../../shell/outages.js';
import { routeHref } from '../../shell/route.js';
import { asOfOutage } from '../../ui/as-of.js';
import { Badge } from '../../ui/badge.js';
import { counted } from '../../wording/counted.js';
import { processName, processNames } from '../processes/process-text.js';
import './summary-tiles.css';
import { countStatuses, summarise } from './summary.js';

const byStatus = computed(() => countStatuses(feed.subscriptions.value));

const summary = computed(() =>
  summarise(
    { workers: feed.workers.value, processes: feed.processes.value, skipped: feed.skipped.value },
    byStatus.value,
  ),
);

/** The cluster at a glance. While Redis or the master is unavailable, each tile shows the time of its figures. */
export function SummaryTiles() {
  const { workers, readyWorkers, subscriptions, byStatus, skipped } = summary.value;
  const { detectionsPerSecond, lagMs } = summary.value;
  const known = feed.subscriptionsKnown.value;
  const waiting = byStatus.pending + byStatus.recovering;
  const asOf = asOfOutage(feed.outage.value);
  const ratesAsOf = asOfOutage(feed.redisOutage.value);
  return (
    <dl class="tiles panel">
      <MasterTile />
      <Tile name="Workers ready">
        <Figure value={readyWorkers} of={workers} />
        <Note>
          {readyWorkers < workers && <Badge tone="warn">{workers - readyWorkers} not ready</Badge>}
          {asOf ?? (readyWorkers === workers && 'All ready')}
        </Note>
      </Tile>
      <Tile name="Subscriptions active">
        {known ? <Figure value={byStatus.active} of={subscriptions} /> : <span class="tile-figure">–</span>}
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
          {asOf ?? (known ? waiting + byStatus.failed === 0 && 'All desired' : 'Loading…')}
          {skipped > 0 && <a href={routeHref('subscriptions', { view: 'skipped' })}>{skipped} skipped</a>}
        </Note>
      </Tile>
      <Tile name="Detections per second">
        <span class="tile-figure">{detectionsPerSecond.toFixed(1)}</span>
        <Note>{ratesAsOf ?? 'All processes'}</Note>
      </Tile>
      <Tile name="Lag">
        <span class="tile-figure">{lagMs === null ? '–' : `${Math.round(lagMs)} ms`}</span>
        <Note>{ratesAsOf ?? (lagMs === null ? 'No recent detections' : 'Slowest process')}</Note>
      </Tile>
    </dl>
  );
}

function MasterTile() {
  const { master, processes } = summary.value;
  const { master: source } = feed.sources.value;
  // Without Redis this process cannot know who leads, and an earlier master may still be in the list.
  const unknown = feed.redisOutage.value !== null;
  const none = master === null || source?.problem === NO_MASTER;
  return (
    <Tile name="Master">
      {unknown || none ? (
        <Badge tone="bad">{unknown ? 'Unknown' : 'No master'}</Badge>
      ) : (
        <bdi class="cut tile-figure" title={master.processId}>
          {processName(processNames(feed.processes.value), master.processId)}
        </bdi>
      )}
      <Note>
        {!unknown && !none && <span title={`Term ${master.term}`}>Term {master.term}</span>}
        <span>{counted(processes, 'process', 'processes')}</span>
      </Note>
    </Tile>
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
