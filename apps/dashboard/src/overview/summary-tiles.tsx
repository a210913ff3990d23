import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useDeadLetters } from '../detections/use-dead-letters.js';
import { feed } from '../feed/feed.js';
import { NO_MASTER } from '../shell/outages.js';
import { routeHref } from '../shell/route.js';
import { asOfOutage } from '../ui/as-of.js';
import { formatInstant, formatTime, termBegan } from '../time/instant.js';
import { Badge, type Tone } from '../ui/badge.js';
import { counted } from '../wording/counted.js';
import { processName } from './process-text.js';
import './summary-tiles.css';
import { countStatuses, summarise } from './summary.js';

const byStatus = computed(() => countStatuses(feed.subscriptions.value));

export const summary = computed(() =>
  summarise(
    { workers: feed.workers.value, processes: feed.processes.value, skipped: feed.skipped.value },
    byStatus.value,
  ),
);

/** The cluster at a glance. A figure is unknown while the service, Redis or the master is unavailable; its note has the last one. */
export function SummaryTiles() {
  const { workers, readyWorkers, closedWorkers, detectionsPerSecond, dropped, lagMs } = summary.value;
  const asOf = asOfOutage(feed.outage.value);
  const ratesAsOf = asOfOutage(feed.processesOutage.value);
  const loading = summary.value.processes === 0;
  const letters = useDeadLetters();
  return (
    <dl class="tiles panel">
      <MasterTile />
      <Tile name="Workers ready" figure={share(readyWorkers, workers)} asOf={asOf}>
        {readyWorkers < workers && <Badge tone="warn">{workers - readyWorkers} not ready</Badge>}
        {closedWorkers > 0 && <Badge tone="info">{closedWorkers} closed to new cameras</Badge>}
        {readyWorkers === workers && closedWorkers === 0 && (workers === 0 ? 'None' : 'All ready')}
      </Tile>
      <SubscriptionsTile asOf={asOf} />
      <Tile
        name="Detections per second"
        figure={[loading ? '–' : detectionsPerSecond.toFixed(1)]}
        asOf={ratesAsOf}
      >
        {dropped > 0 && (
          <Badge tone="bad" title="Since the processes started">
            {dropped.toLocaleString('en-GB')} dropped
          </Badge>
        )}
        {letters !== '' && (
          <a href={routeHref('dead-letters')}>
            <Badge tone="warn">{letters}</Badge>
          </a>
        )}
        {dropped === 0 && letters === '' && (loading ? 'Loading…' : 'All processes')}
      </Tile>
      <Tile name="Lag" figure={[lagMs === null ? '–' : `${Math.round(lagMs)} ms`]} asOf={ratesAsOf}>
        {loading ? 'Loading…' : lagMs === null ? 'No recent detections' : 'Slowest process'}
      </Tile>
    </dl>
  );
}

/** A display in the database should run, also if it is skipped. */
function SubscriptionsTile({ asOf }: { readonly asOf: string | null }) {
  const { byStatus, running, skipped, subscriptions } = summary.value;
  const known = feed.subscriptionsKnown.value;
  const waiting = byStatus.pending + byStatus.recovering;
  return (
    <Tile
      name="Subscriptions active"
      figure={known ? share(byStatus.active, subscriptions + skipped) : ['–']}
      asOf={asOf}
    >
      <CountLink count={waiting} word="waiting" tone="warn" show={{ status: 'pending,recovering' }} />
      <CountLink count={byStatus.failed} word="failed" tone="bad" show={{ status: 'failed' }} />
      <CountLink count={skipped} word="skipped" tone="warn" show={{ view: 'skipped' }} />
      {known && subscriptions === 0 && running > 0 && (
        <Badge tone="warn">{running} run, which are wanted is not known</Badge>
      )}
      {!known && 'Loading…'}
      {known && subscriptions > 0 && byStatus.active === subscriptions + skipped && 'All active'}
      {known && subscriptions + skipped + running === 0 && 'None'}
    </Tile>
  );
}

interface CountLinkProps {
  readonly count: number;
  readonly word: string;
  readonly tone: Tone;
  readonly show: Readonly<Record<string, string>>;
}

/** A count of subscriptions, and where they are listed. */
function CountLink({ count, word, tone, show }: CountLinkProps) {
  if (count === 0) return null;
  return (
    <a href={routeHref('subscriptions', show)}>
      <Badge tone={tone}>
        {count.toLocaleString('en-GB')} {word}
      </Badge>
    </a>
  );
}

function MasterTile() {
  const { master, processes } = summary.value;
  const { master: source } = feed.sources.value;
  // Without Redis the service cannot know who leads, and an earlier master may still be in the list.
  const unknown = feed.processesOutage.value !== null;
  const none = source?.problem === NO_MASTER;
  const began = master === null ? null : termBegan(master.term);
  return (
    <div class="tile">
      <dt>Master</dt>
      <dd>
        {unknown || none ? (
          <Badge tone="bad">{unknown ? 'Unknown' : 'No master'}</Badge>
        ) : master === null && processes === 0 ? (
          <span class="tile-figure">–</span>
        ) : master === null ? (
          <Badge tone="warn" title="A process is master, but this page has no report of it">
            Does not report
          </Badge>
        ) : (
          <bdi class="cut tile-figure" title={master.processId}>
            {processName(master.processId)}
          </bdi>
        )}
        <span class="tile-note">
          {!unknown && !none && began !== null && (
            <span title={`${formatInstant(began)}, term ${master!.term}`}>since {formatTime(began)}</span>
          )}
          {asOfOutage(feed.processesOutage.value)}{' '}
          {processes === 0 ? 'Waiting for reports' : counted(processes, 'process', 'processes')}
        </span>
      </dd>
    </div>
  );
}

const share = (value: number, of: number) =>
  [value.toLocaleString('en-GB'), of.toLocaleString('en-GB')] as const;

interface TileProps {
  readonly name: string;
  /** The figure, and the number that it is a part of. */
  readonly figure: readonly [value: string, of?: string];
  /** Why the figure is not up to date; null: it is. */
  readonly asOf: string | null;
  readonly children: ComponentChildren;
}

function Tile({ name, figure: [value, of], asOf, children }: TileProps) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        {asOf === null ? (
          <span class="tile-figure">
            {value}
            {of !== undefined && <span class="tile-of"> / {of}</span>}
          </span>
        ) : (
          <Badge tone="bad">Unknown</Badge>
        )}
        <span class="tile-note">
          {asOf === null ? children : `${asOf}: ${of === undefined ? value : `${value} of ${of}`}`}
        </span>
      </dd>
    </div>
  );
}
