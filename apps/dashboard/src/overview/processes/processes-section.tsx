import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { computed } from '@preact/signals';
import { feed } from '../../feed/feed.js';
import { AgeOf } from '../../time/age-of.js';
import { now } from '../../time/clock.js';
import { asOfOutage } from '../../ui/as-of.js';
import { Badge } from '../../ui/badge.js';
import { WithCopy } from '../../ui/copy-button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { formatRanges, processName, processNames, restartProgress } from './process-text.js';
import './processes-section.css';

const ordered = computed(() => {
  const names = processNames(feed.processes.value);
  return Object.values(feed.processes.value)
    .map((process) => ({ process, name: processName(names, process.processId) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
});

const restart = computed(() => restartProgress(Object.values(feed.processes.value), now.value));

export function ProcessesSection() {
  const asOf = asOfOutage(feed.redisOutage.value);
  return (
    <section class="section" aria-labelledby="processes-title">
      <div class="section-header">
        <h2 id="processes-title">
          Backend processes {asOf !== null && <span class="section-note">{asOf}</span>}
        </h2>
        <Restart />
      </div>
      <div class="panel table-scroll" tabIndex={0} role="group" aria-label="Table of backend processes">
        {ordered.value.length === 0 ? (
          <EmptyState title="No reports from processes yet" icon="clock" />
        ) : (
          <table class="table processes">
            <thead>
              <tr>
                <th scope="col">Process</th>
                <th scope="col">Role</th>
                <th scope="col" class="number">
                  Term
                </th>
                <th scope="col" class="number" title="Time since the lease was last confirmed">
                  Lease age
                </th>
                <th scope="col" class="number">
                  Detections/s
                </th>
                <th scope="col" class="number" title="Age of detections when they reach the callbacks">
                  Lag
                </th>
                <th scope="col" class="number">
                  Delivered
                </th>
                <th scope="col" class="number">
                  Redelivered
                </th>
                <th
                  scope="col"
                  class="number"
                  title="A process handles the detections of the partitions that it owns"
                >
                  Partitions
                </th>
                <th scope="col" class="number">
                  Uptime
                </th>
              </tr>
            </thead>
            <tbody>
              {ordered.value.map(({ process, name }) => (
                <ProcessLine key={process.processId} process={process} name={name} />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

/** Tells how far a rolling restart has come. */
function Restart() {
  const progress = restart.value;
  if (progress === null) return null;
  return (
    <Badge
      tone="info"
      icon="refresh"
      title="Processes that started one after another, less than 10 minutes apart"
    >
      {progress.restarted} of {progress.total} restarted
    </Badge>
  );
}

function ProcessLine({ process, name }: { readonly process: ProcessRow; readonly name: string }) {
  const { partitions } = process;
  return (
    <tr>
      <th scope="row">
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
      </th>
      <td>
        <Role process={process} />
      </td>
      <td class="number">{process.term}</td>
      <td class="number">{process.leaseAgeMs === null ? '–' : `${Math.round(process.leaseAgeMs)} ms`}</td>
      <td class="number">{process.detectionsPerSecond.toFixed(1)}</td>
      <td class="number">{process.lagMs === null ? '–' : `${Math.round(process.lagMs)} ms`}</td>
      <td class="number">{process.delivered.toLocaleString('en-GB')}</td>
      <td class="number">{process.redelivered.toLocaleString('en-GB')}</td>
      <td class="number" title={partitions.length === 0 ? undefined : formatRanges(partitions)}>
        {partitions.length === 0 ? '–' : partitions.length}
      </td>
      <td class="number">
        <AgeOf iso={process.startedAt} />
      </td>
    </tr>
  );
}

function Role({ process: { role, mayAct } }: { readonly process: ProcessRow }) {
  if (role === 'follower') return <Badge tone="muted">Follower</Badge>;
  // Without Redis this page cannot know which process leads now.
  if (feed.redisOutage.value !== null) return <Badge tone="muted">Last known master</Badge>;
  return mayAct ? (
    <Badge tone="info" icon="crown">
      Master
    </Badge>
  ) : (
    <Badge tone="warn" icon="clock" title="It is master, but must not act until its lease is confirmed again">
      Master, suspended
    </Badge>
  );
}
