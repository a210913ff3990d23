import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { clusterApi } from '../api/cluster-api.js';
import { PagedAnswer } from '../api/paged-answer.js';
import { feed } from '../feed/feed.js';
import { route } from '../shell/router.js';
import { now } from '../time/clock.js';
import { RangeSelect } from '../time/period-fields.js';
import { fromOf, rangeOf } from '../time/period.js';
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
import { EVENT_KINDS, eventKind } from './event-sentence.js';
import { EventTimeline } from './event-timeline.js';
import { useEventsOf } from './use-events-of.js';

/** Events that each question asks for. Several of them can be one line. */
const PAGE = 1_000;

/** How many more lines each click shows. */
const STEP = 200;

const TYPES = Object.entries(EVENT_KINDS)
  .map(([type, { label }]): SelectOption => [type, label])
  .sort(([, a], [, b]) => (a < b ? -1 : 1));

export function EventsPage() {
  const { view } = route.value.parameters;
  return (
    <Page
      title="Events"
      end={
        <Views
          page="events"
          views={[
            ['', 'Cluster'],
            ['audit', 'Audit trail'],
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

  const pages = useMemo(() => new PagedAnswer(clusterApi.events), []);
  const [most, setMost] = useState(STEP);
  const [whole, setWhole] = useState(false);
  const more = pages.more.value;
  const loading = pages.loading.value;
  const problem = pages.problem.value;
  const known = pages.items.value;

  useEffect(() => {
    setMost(STEP);
    void pages.begin({ sort: '-at', limit: PAGE, from: fromOf(range, now.peek()) });
  }, [range]);
  // A time range is read to its end, and after a click all events are, so that a filter finds each of them.
  useEffect(() => {
    if (more && problem === null && (whole || range !== null)) void pages.next();
  }, [more, loading, problem, whole, range]);
  const older = useMemo(() => known?.toReversed() ?? [], [known]);
  const recent = useEventsOf(range, older, feed.events.value);
  const lines = useMemo(() => eventLines(search(recent, type, text)), [recent, type, text]);
  const shown = lines.slice(-most);

  const showOlder = () => {
    setMost(most + STEP);
    if (lines.length > most) return;
    setWhole(true);
    if (problem !== null) void pages.next();
  };
  const all = lines.length <= most && known !== null && !more && problem === null && !loading;

  return (
    <>
      <FilterBar label="Filter events" searches="Text in the events" placeholder="Camera, worker, process">
        <SelectField label="Type of event" parameter="type" options={[['', 'All types'], ...TYPES]} />
        <RangeSelect none="Any time" />
        <ExportButtons list="events" query={{ type, text, from: fromOf(range, now.peek()) }} />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState
          title={
            older.length + feed.events.value.length === 0 ? 'No events yet' : 'No event matches the filter'
          }
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

function search(events: readonly EventItem[], type: string, text: string): readonly EventItem[] {
  const words = wordsOf(text);
  return events.filter((event) => {
    if (type !== '' && event.type !== type) return false;
    if (words.length === 0) return true;
    const { label, sentence } = eventKind(event.type);
    return hasWords(`${event.type}\n${label}\n${phraseText(sentence(event))}`, words);
  });
}
