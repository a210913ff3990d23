import type { EventItem, HistoryRange } from '@detector-cluster/dashboard-protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { clusterApi } from '../api/cluster-api.js';
import { PagedAnswer } from '../api/paged-answer.js';
import { feed } from '../feed/feed.js';
import { routeHref } from '../shell/route.js';
import { route } from '../shell/router.js';
import { now } from '../time/clock.js';
import { instantOf } from '../time/instant.js';
import { RangeSelect } from '../time/period-fields.js';
import { periodQuery, rangeOf, withinRange } from '../time/period.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ExportButtons } from '../ui/export-buttons.js';
import { FilterBar } from '../ui/filter-bar.js';
import { Notice } from '../ui/notice.js';
import { Page, Views } from '../ui/page.js';
import { SelectField, type SelectOption } from '../ui/select-field.js';
import { phraseText } from '../wording/phrase.js';
import { hasWords, wordsOf } from '../wording/words.js';
import { AuditTrail } from './audit-trail.js';
import { eventLines } from './event-lines.js';
import { eventKind } from './event-sentence.js';
import { EventTimeline } from './event-timeline.js';
import { mergeEvents } from './merge-events.js';

/** Events that each question asks for. Several of them can be one line. */
const PAGE = 1_000;

/** How many more lines each click shows. */
const STEP = 200;

/** The beginning of a time range moves once a minute. */
const MINUTE = 60_000;

export function EventsPage() {
  const { view, range = '' } = route.value.parameters;
  return (
    <Page
      title="Events"
      end={
        <Views
          views={[
            { name: 'Cluster', href: routeHref('events', { range }), current: view !== 'audit' },
            {
              name: 'Audit trail',
              href: routeHref('events', { view: 'audit', range }),
              current: view === 'audit',
            },
          ]}
        />
      }
    >
      {view === 'audit' ? <AuditTrail /> : <ClusterEvents />}
    </Page>
  );
}

function ClusterEvents() {
  const { parameters } = route.value;
  const { type = '', text = '' } = parameters;
  const range = rangeOf(parameters);

  const older = useMemo(() => new PagedAnswer(clusterApi.events), []);
  const [most, setMost] = useState(STEP);
  const [whole, setWhole] = useState(false);
  const more = older.more.value;
  const loading = older.loading.value;
  const problem = older.problem.value;
  const known = older.items.value;

  useEffect(() => {
    setMost(STEP);
    void older.begin({ sort: '-at', limit: PAGE, ...periodOf(range) });
  }, [range]);
  // A time range is read to its end, and after a click all events are, so that a filter finds each of them.
  useEffect(() => {
    if (more && problem === null && (whole || range !== null)) void older.next();
  }, [more, loading, problem, whole, range]);
  const events = useMemo(
    () => mergeEvents(known?.toReversed() ?? [], feed.events.value),
    [known, feed.events.value],
  );
  const minute = range === null ? 0 : Math.floor(now.value / MINUTE) * MINUTE;
  const recent = useMemo(
    () => withinRange(events, range, minute, ({ at }) => instantOf(at)),
    [events, range, minute],
  );
  const found = useMemo(() => search(recent, text), [recent, text]);
  const passed = useMemo(
    () => (type === '' ? found : found.filter((event) => event.type === type)),
    [found, type],
  );
  const lines = useMemo(() => eventLines(passed), [passed]);
  const shown = lines.slice(-most);

  const showOlder = () => {
    setMost(most + STEP);
    if (lines.length > most) return;
    setWhole(true);
    if (problem !== null) void older.next();
  };
  const all = lines.length <= most && known !== null && !more && problem === null && !loading;

  return (
    <>
      <FilterBar label="Filter events" searches="Text in the events" placeholder="Camera, worker, process">
        <SelectField
          label="Type of event"
          parameter="type"
          options={[['', `All types (${found.length.toLocaleString('en-GB')})`], ...typesOf(found, type)]}
        />
        <RangeSelect none="Any time" />
        <ExportButtons list="events" query={{ type, text, ...periodOf(range) }} />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState
          title={events.length === 0 ? 'No events yet' : 'No event matches the filter'}
          icon="clock"
        >
          The master records when workers come and go, cameras move and leadership changes.
        </EmptyState>
      ) : (
        <EventTimeline lines={shown} cut={!all && shown.length === lines.length} />
      )}
      <div role="status">
        {problem !== null && <Notice tone="warn">Older events are not available. {problem}</Notice>}
        {all && (
          <p class="muted">
            {range === null
              ? 'There are no older events. About 10,000 are kept.'
              : 'There are no older events in this time range.'}
          </p>
        )}
      </div>
      {!all && (
        <div class="actions">
          <Button busy={loading} onClick={showOlder}>
            Show older events
          </Button>
        </div>
      )}
    </>
  );
}

const periodOf = (range: HistoryRange | null) => periodQuery({ range, from: '', to: '' }, now.peek());

function search(events: readonly EventItem[], text: string): readonly EventItem[] {
  const words = wordsOf(text);
  if (words.length === 0) return events;
  return events.filter((event) => {
    const { label, sentence } = eventKind(event.type);
    return hasWords(`${event.type}\n${label}\n${phraseText(sentence(event))}`, words);
  });
}

/** Each type with its count, always including the chosen one. */
function typesOf(events: readonly EventItem[], chosen: string): readonly SelectOption[] {
  const counts = new Map<string, number>(chosen === '' ? [] : [[chosen, 0]]);
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Array.from(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, count]) => [type, `${eventKind(type).label} (${count.toLocaleString('en-GB')})`]);
}
