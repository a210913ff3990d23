import { computed } from '@preact/signals';
import type { ReceiverRow, WorkerRow } from '@detector-cluster/dashboard-protocol';
import { feed } from '../feed/feed.js';
import { StatusBadge } from '../subscriptions/status-badge.js';
import { reasonText } from '../subscriptions/reason-text.js';
import { now } from '../time/clock.js';
import { formatAge, formatInstant, formatTime, instantOf } from '../time/instant.js';
import { Badge } from '../ui/badge.js';
import { Section } from '../ui/page.js';
import { TextLink } from '../ui/text.js';
import { counted } from '../wording/counted.js';
import { type Alert, alerts, runbookHref } from './alerts.js';
import './attention-section.css';
import { darkGroups, type DarkGroup } from './dark-cameras.js';
import { summary } from './summary-tiles.js';
import { WorkerLink } from './worker-link.js';
import { problemText } from './workers.js';

const dark = computed(() => darkGroups(feed.subscriptions.value, feed.skipped.value));

/** Workers that report, and cannot do what they should: a drain that finds no room ends with dark cameras. */
const stuck = computed(() =>
  Object.values(feed.workers.value).filter(({ state, problem }) => state === 'Ready' && problem !== null),
);

/** Whether it is known which cameras run now. */
const known = computed(() => feed.current.value && feed.subscriptionsKnown.value);

/** Which cameras are dark, since when, why and what happens next; then workers that are stuck, and the alerts. */
export function AttentionSection() {
  const none = dark.value.length + stuck.value.length + alerts.value.length === 0;
  return (
    <Section title="Attention">
      <div class="panel" role="status">
        {(none || !known.value) && (
          <p class="attention-none">
            <Nothing />
          </p>
        )}
        {!none && (
          <ul class="attention">
            {dark.value.map((group) => (
              <DarkRow key={`${group.status} ${group.reason}`} group={group} />
            ))}
            {stuck.value.map((worker) => (
              <StuckRow key={worker.url} worker={worker} />
            ))}
            {alerts.value.map((alert) => (
              <AlertRow key={alert.name} alert={alert} />
            ))}
          </ul>
        )}
        {Object.values(feed.receivers.value).map((receiver) => (
          <Receiver key={receiver.name} receiver={receiver} />
        ))}
      </div>
    </Section>
  );
}

/** Good news only while the page is up to date and there is something that runs. */
function Nothing() {
  if (!known.value) return <Badge tone="muted">It is not known which cameras run now</Badge>;
  if (summary.value.subscriptions === 0) return <Badge tone="muted">No camera is wanted, no alerts</Badge>;
  if (feed.sources.value.database?.ok === false)
    return <Badge tone="muted">Every camera runs, but what has changed in the database is not known</Badge>;
  return <Badge tone="ok">Every camera runs, no alerts</Badge>;
}

const RECEIVERS = { alertmanager: 'Alertmanager', webhook: 'Webhook' };

/** Whether the people who are not looking at this page hear of its alerts. */
function Receiver({ receiver }: { readonly receiver: ReceiverRow }) {
  const { name, sentAt, failedAt, problem, waiting, dropped } = receiver;
  const [sent, failed] = [sentAt, failedAt].map((iso) => (iso === null ? null : instantOf(iso)));
  return (
    <p class="attention-receiver">
      {failed == null ? (
        <Badge tone={sent == null ? 'muted' : 'ok'}>{RECEIVERS[name]}</Badge>
      ) : (
        <Badge tone="bad">{RECEIVERS[name]} fails</Badge>
      )}
      <span class={failed == null ? 'muted' : undefined}>
        {failed != null && `At ${formatTime(failed)}: ${problem}. `}
        {sent == null ? 'Nothing was sent yet.' : `Last sent at ${formatTime(sent)}.`}
        {waiting > 0 && ` ${counted(waiting, 'message')} waiting.`}
        {dropped > 0 && ` ${counted(dropped, 'message')} dropped.`}
      </span>
    </p>
  );
}

function DarkRow({
  group: { status, reason, count, href, since, names, next },
}: {
  readonly group: DarkGroup;
}) {
  return (
    <li>
      <span>
        <StatusBadge status={status} />
      </span>
      <div class="attention-dark">
        <a href={href}>{count}</a>: <strong>{reasonText(reason)}</strong>{' '}
        <span class="attention-names">
          {names.map(({ name, href: of }) => (
            <TextLink key={name} href={of} value={name === '' ? 'Unreadable' : name} />
          ))}
        </span>
        <p class="muted" dir="auto">
          {next}
        </p>
      </div>
      <Since since={since} />
    </li>
  );
}

function StuckRow({ worker: { url, standing, problem } }: { readonly worker: WorkerRow }) {
  return (
    <li>
      <span>
        <Badge tone="warn">{standing === 'draining' ? 'Draining' : 'Worker'}</Badge>
      </span>
      <div class="attention-dark">
        <WorkerLink url={url} />: <bdi>{problemText(problem!)}</bdi>
      </div>
      <span />
    </li>
  );
}

function Since({ since }: { readonly since: number | null }) {
  if (since === null) return <span />;
  // The age changes every second, which is no news.
  return (
    <time
      class="muted attention-since"
      aria-live="off"
      dateTime={new Date(since).toISOString()}
      title={formatInstant(since)}
    >
      for {formatAge(now.value - since)}
    </time>
  );
}

function AlertRow({ alert: { name, severity, summary, since, href, firesIn } }: { readonly alert: Alert }) {
  return (
    <li>
      <span>
        {firesIn > 0 ? (
          <Badge tone="info" icon="clock">
            Pending
          </Badge>
        ) : (
          <Badge tone={severity === 'critical' ? 'bad' : 'warn'}>
            {severity === 'critical' ? 'Critical' : 'Warning'}
          </Badge>
        )}
      </span>
      <a class="attention-summary" href={href}>
        {summary}
        {firesIn > 0 && ` Fires in ${formatAge(firesIn)}.`}
      </a>
      <a
        class="muted mono attention-name"
        href={runbookHref(name)}
        target="_blank"
        rel="noopener"
        title="What to do: the runbook, in a new window"
      >
        {name}
      </a>
      <Since since={since} />
    </li>
  );
}

/** How many alerts fire, as a link to them. */
export function AlertCount() {
  const all = alerts.value.filter(({ firesIn }) => firesIn === 0);
  if (all.length === 0) return null;
  const critical = all.some(({ severity }) => severity === 'critical');
  return (
    <a class="alert-count" href="#/overview">
      <Badge tone={critical ? 'bad' : 'warn'}>
        {all.length}
        <span class="alert-count-noun">{all.length === 1 ? ' alert' : ' alerts'}</span>
      </Badge>
    </a>
  );
}
