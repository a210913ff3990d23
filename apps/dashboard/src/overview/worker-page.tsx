import { namesWorker, type EventItem, type WorkerRow } from '@detector-cluster/dashboard-protocol';
import { useMemo } from 'preact/hooks';
import { clusterApi } from '../api/cluster-api.js';
import { useLoaded } from '../api/use-answer.js';
import { eventLines } from '../events/event-lines.js';
import { EventTimeline } from '../events/event-timeline.js';
import { useEventsOf } from '../events/use-events-of.js';
import { feed } from '../feed/feed.js';
import { UsageMeters } from './usage-meters.js';
import { StandingButtons, WorkerBadges } from './worker-standing.js';
import { excessText, problemText, workerAddress, workerName, STATE_TEXTS } from './workers.js';
import { routeHref } from '../shell/route.js';
import { keepRange, route } from '../shell/router.js';
import { AgeOf } from '../time/age-of.js';
import { now } from '../time/clock.js';
import { RangeSelect } from '../time/period-fields.js';
import { fromOf, rangeOf } from '../time/period.js';
import { CopyButton } from '../ui/copy-button.js';
import { EmptyState } from '../ui/empty-state.js';
import { Facts } from '../ui/facts.js';
import { Problem } from '../ui/notice.js';
import { Page, Section } from '../ui/page.js';
import { Text } from '../ui/text.js';
import './worker-page.css';

/** How many lines of events of the worker the page shows; a link leads to all of them. */
const EVENTS_SHOWN = 50;

/** Several events can be one line, so the page asks for more events than it shows lines. */
const EVENTS_READ = 1_000;

const NO_EVENTS: readonly EventItem[] = [];

/** Everything about one worker. Its URL is in the address. */
export function WorkerPage() {
  const { parameters } = route.value;
  const { url = '' } = parameters;
  const workers = feed.workers.value;
  const worker = Object.hasOwn(workers, url) ? workers[url]! : null;
  return (
    <Page
      title={<Text value={workerName(url)} />}
      parent="overview"
      beside={
        <>
          {worker !== null && <WorkerBadges worker={worker} />}
          <CopyButton text={url} what="the URL of the worker" />
        </>
      }
      end={
        <div class="actions">
          <a href={routeHref('cameras', { worker: url })}>Its cameras</a>
          <a href={routeHref('subscriptions', { worker: url })}>Its subscriptions</a>
          {worker !== null && <StandingButtons worker={worker} />}
        </div>
      }
    >
      {worker === null ? (
        <EmptyState title="This worker is not in the cluster">
          It was removed from the configuration, or the master has not connected to it yet.
        </EmptyState>
      ) : (
        <Now worker={worker} />
      )}
      <EventsSection url={url} />
    </Page>
  );
}

function Now({ worker }: { readonly worker: WorkerRow }) {
  const { state, capacity, subscriptionCount, models, connectedAt, problem, excess } = worker;
  return (
    <div class="panel worker-now">
      <Facts
        of={{
          State: STATE_TEXTS[state],
          Problem: problem !== null && <Text value={problemText(problem)} />,
          'Beyond its limits': excess && excessText(excess),
          'Connected for': connectedAt === null ? '–' : <AgeOf iso={connectedAt} />,
          Subscriptions: capacity === null ? subscriptionCount : `${subscriptionCount} of ${capacity}`,
          Models: <span dir="auto">{models.length === 0 ? '–' : models.join(', ')}</span>,
        }}
      />
      <UsageMeters worker={worker} />
    </div>
  );
}

/** Events of the time range in the address; without one, the latest. */
function EventsSection({ url }: { readonly url: string }) {
  const range = rangeOf(route.value.parameters);
  // The events of the previous range stay until those of the new one arrive. Another worker has another page.
  const answer = useLoaded(
    () => clusterApi.events({ worker: url, limit: EVENTS_READ, from: fromOf(range, now.peek()) }),
    [url, range],
  );
  const newer = useMemo(
    () => feed.events.value.filter((event) => namesWorker(event, url)),
    [feed.events.value, url],
  );
  const events = useEventsOf(range, answer.value.value?.items ?? NO_EVENTS, newer);
  const lines = useMemo(() => eventLines(events).slice(-EVENTS_SHOWN), [events]);
  return (
    <Section
      title="Events"
      end={
        <div class="actions">
          <a href={keepRange(routeHref('events', { text: workerAddress(url) }))}>All its events</a>
          <RangeSelect none="Latest" />
        </div>
      }
    >
      <Problem of={answer}>Older events are not available.</Problem>
      {lines.length > 0 ? (
        <EventTimeline lines={lines} level={3} />
      ) : answer.value.value === null && answer.problem.value === null ? (
        <p class="muted">Loading…</p>
      ) : (
        <p class="muted">
          No {range === null ? 'recent event' : 'event in this time range'} names this worker.
        </p>
      )}
    </Section>
  );
}
