import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { useMemo } from 'preact/hooks';
import { formatInstant, formatTime, instantOf } from '../format/instant.js';
import { Badge, type Tone } from '../ui/badge.js';
import { Say } from '../wording/say.js';
import { eventDays } from './event-days.js';
import { eventKind, type EventTone } from './event-sentence.js';
import './event-timeline.css';

const TONES: Readonly<Record<EventTone, Tone>> = { good: 'ok', bad: 'bad', neutral: 'info' };

export interface EventTimelineProps {
  /** Oldest first. */
  readonly events: readonly EventItem[];
  /** `2026-11-21`: days are renamed at midnight. */
  readonly today: string;
  /** Level of the headings. Default 2. */
  readonly level?: 2 | 3;
}

export function EventTimeline({ events, today, level = 2 }: EventTimelineProps) {
  const days = useMemo(() => eventDays(events, new Date(`${today}T12:00:00`).getTime()), [events, today]);
  const Heading = `h${level}` as const;
  return (
    <>
      {days.map(({ name, events }) => (
        <section key={name} class="section" aria-label={name}>
          <Heading>{name}</Heading>
          <ol class="panel event-timeline">
            {events.map((event) => (
              <Row key={event.eventId} event={event} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function Row({ event }: { readonly event: EventItem }) {
  const { label, sentence, tone } = eventKind(event.type);
  const at = instantOf(event.at);
  return (
    <li>
      {at === null ? (
        <span class="muted">–</span>
      ) : (
        <time class="muted" dateTime={event.at} title={formatInstant(at)}>
          {formatTime(at)}
        </time>
      )}
      <span class="event-kind">
        <Badge tone={TONES[tone]}>{label}</Badge>
      </span>
      <span class="event-sentence">
        <Say parts={sentence(event)} />
      </span>
      <span class="muted event-term" title="Term of the master that recorded it">
        Term {event.term}
      </span>
    </li>
  );
}
