import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { useMemo, useState } from 'preact/hooks';
import { messageOf } from '../api/api-error.js';
import { clusterApi } from '../api/cluster-api.js';
import { feed } from '../feed/feed.js';
import { formatDay } from '../format/instant.js';
import { replaceParameters, route } from '../shell/router.js';
import { now } from '../time/clock.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import '../ui/filter-bar.css';
import { Notice } from '../ui/notice.js';
import { SearchField } from '../ui/search-field.js';
import { phraseText } from '../wording/phrase.js';
import { EventHistory, mergeEvents } from './event-history.js';
import { eventKind } from './event-sentence.js';
import { EventTimeline } from './event-timeline.js';

/** How many more events each click shows. */
const STEP = 200;

export function EventsPage() {
  const { page, parameters } = route.value;
  const { type = '', text = '' } = parameters;
  const show = (part: { readonly type?: string; readonly text?: string }) =>
    replaceParameters(page, { type, text, ...part });

  const history = useMemo(() => new EventHistory((which) => clusterApi.events(which)), []);
  const [most, setMost] = useState(STEP);
  const [loading, setLoading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const events = useMemo(
    () => mergeEvents(history.events.value, feed.events.value),
    [history.events.value, feed.events.value],
  );
  const found = useMemo(() => search(events, text), [events, text]);
  const passed = type === '' ? found : found.filter((event) => event.type === type);
  const shown = passed.slice(-most);
  const today = formatDay(now.value);

  const older = async () => {
    setMost(most + STEP);
    if (passed.length > most) return;
    setLoading(true);
    setProblem(null);
    try {
      await history.loadOlder();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setLoading(false);
    }
  };

  return (
    <div class="page">
      <div class="page-header">
        <h1>Events</h1>
      </div>
      <div class="filter-bar" role="search" aria-label="Filter events">
        <SearchField
          label="Text in the events"
          placeholder="Camera, worker, process"
          value={text}
          onChange={(changed) => show({ text: changed })}
        />
        <select
          aria-label="Type of event"
          value={type}
          onChange={({ currentTarget }) => show({ type: currentTarget.value })}
        >
          <option value="">All types ({found.length.toLocaleString('en-GB')})</option>
          {typesOf(found, type).map(([name, count]) => (
            <option key={name} value={name}>
              {eventKind(name).label} ({count.toLocaleString('en-GB')})
            </option>
          ))}
        </select>
      </div>
      {shown.length === 0 ? (
        <div class="panel">
          <EmptyState
            title={events.length === 0 ? 'No events yet' : 'No event matches the filter'}
            icon="clock"
          >
            The master records when workers come and go, cameras move and leadership changes.
          </EmptyState>
        </div>
      ) : (
        <EventTimeline events={shown} today={today} />
      )}
      <div role="status">
        {problem !== null && <Notice tone="warn">Older events are not available. {problem}</Notice>}
        {history.complete.value && passed.length <= most && (
          <p class="muted">There are no older events. About 10,000 are kept.</p>
        )}
      </div>
      {!(history.complete.value && passed.length <= most) && (
        <div class="actions">
          <Button busy={loading} onClick={() => void older()}>
            Show older events
          </Button>
        </div>
      )}
    </div>
  );
}

function search(events: readonly EventItem[], text: string): readonly EventItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return events;
  return events.filter((event) => {
    const { label, sentence } = eventKind(event.type);
    const searched = `${event.type}\n${label}\n${phraseText(sentence(event))}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** Each type with its count, always including the chosen one. */
function typesOf(events: readonly EventItem[], chosen: string): (readonly [type: string, count: number])[] {
  const counts = new Map<string, number>(chosen === '' ? [] : [[chosen, 0]]);
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Array.from(counts).sort(([a], [b]) => (a < b ? -1 : 1));
}
