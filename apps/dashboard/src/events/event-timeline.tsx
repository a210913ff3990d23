import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { useMemo } from 'preact/hooks';
import { now } from '../time/clock.js';
import { formatDay, formatInstant, formatTime, instantOf } from '../time/instant.js';
import { Badge, type Tone } from '../ui/badge.js';
import { Disclosure } from '../ui/disclosure.js';
import { phraseText, type Phrase } from '../wording/phrase.js';
import { Say } from '../wording/say.js';
import { eventDays, type EventLine } from './event-lines.js';
import { eventKind, type EventTone } from './event-sentence.js';
import './event-timeline.css';

/** How many events an opened line lists. */
const MAX_TOGETHER = 100;

/** Characters. */
const LONG = 160;

const TONES: Readonly<Record<EventTone, Tone>> = { good: 'ok', bad: 'bad', neutral: 'info' };

export interface EventTimelineProps {
  /** Oldest first. */
  readonly lines: readonly EventLine[];
  /** Whether earlier events may belong to the first line. */
  readonly cut?: boolean;
  /** Level of the headings. Default 2. */
  readonly level?: 2 | 3;
}

export function EventTimeline({ lines, cut = false, level = 2 }: EventTimelineProps) {
  // Days are renamed at midnight.
  const today = formatDay(now.value);
  const days = useMemo(() => eventDays(lines, today), [lines, today]);
  const Heading = `h${level}` as const;
  return (
    <>
      {days.map((day) => (
        <section key={day.name} class="section" aria-label={day.name}>
          <Heading>{day.name}</Heading>
          <ol class="panel event-timeline">
            {day.lines.map((line) => (
              <Line key={line[0].eventId} line={line} cut={cut && line === lines[0]} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function Line({ line, cut }: { readonly line: EventLine; readonly cut: boolean }) {
  const last = line.at(-1)!;
  const { label, sentence, many, tone } = eventKind(last.type);
  return (
    <li>
      <When event={last} />
      <span class="event-kind">
        <Badge tone={TONES[tone]}>{label}</Badge>
      </span>
      <div class="event-sentence">
        {line.length === 1 ? (
          <Sentence parts={sentence(last)} />
        ) : (
          <Disclosure summary={`${cut ? 'At least ' : ''}${line.length.toLocaleString('en-GB')} ${many}`}>
            {() => <Together events={line} />}
          </Disclosure>
        )}
      </div>
    </li>
  );
}

/** A long sentence takes one line until it is opened. */
function Sentence({ parts }: { readonly parts: Phrase }) {
  const text = phraseText(parts);
  if (text.length <= LONG) return <Say parts={parts} />;
  // Links in a summary would be in the way of opening it.
  return (
    <Disclosure summary={<bdi class="event-short">{text}</bdi>}>{() => <Say parts={parts} />}</Disclosure>
  );
}

/** The events of one line, newest first. */
function Together({ events }: { readonly events: readonly EventItem[] }) {
  const more = events.length - MAX_TOGETHER;
  return (
    <>
      <ol class="event-together">
        {events
          .slice(-MAX_TOGETHER)
          .toReversed()
          .map((event) => (
            <li key={event.eventId}>
              <When event={event} />
              <span class="event-sentence">
                <Say parts={eventKind(event.type).sentence(event)} />
              </span>
            </li>
          ))}
      </ol>
      {more > 0 && (
        <p class="muted">
          {more.toLocaleString('en-GB')} earlier events are not listed. Search for a name to find them.
        </p>
      )}
    </>
  );
}

function When({ event }: { readonly event: EventItem }) {
  const at = instantOf(event.at);
  if (at === null) return <span class="muted">–</span>;
  return (
    <time class="muted" dateTime={event.at} title={`${formatInstant(at)}, recorded in term ${event.term}`}>
      {formatTime(at)}
    </time>
  );
}
