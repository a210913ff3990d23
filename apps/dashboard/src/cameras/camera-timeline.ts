import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { workerName } from '../overview/workers.js';
import { instantOf } from '../time/instant.js';
import type { Tone } from '../ui/badge.js';

/** A time in which something held, or an instant. `from` and `to` are milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly tone: Tone;
}

export interface Lane {
  readonly name: string;
  readonly spans: readonly Span[];
}

export interface TimelineFacts {
  readonly cameraId: string;
  readonly from: number;
  readonly to: number;
  /** Oldest first, all from `from` on. */
  readonly events: readonly EventItem[];
  /** When the oldest event of the cluster was recorded that it keeps. Where the camera ran before is not known. */
  readonly keptFrom: number;
  /** When the camera had detections, oldest first; null: not known. */
  readonly detections: readonly number[] | null;
  /** Its worker now; empty: none. */
  readonly workerUrl: string;
  /** Its present status; null: it has none, or the page is not up to date. */
  readonly status: Omit<Span, 'to'> | null;
}

/** A time without a detection is a gap if it is so much longer than the usual one, and at least as long as this. Milliseconds. */
const GAP_FACTOR = 10;
const MIN_GAP = 60_000;

/** The lanes of a camera on one axis, from what the cluster keeps. What it does not keep is left open. */
export function timelineOf(facts: TimelineFacts): readonly Lane[] {
  const { events, detections, from, to, status } = facts;
  const workers = workersOf(facts);
  const lanes: Readonly<Record<string, readonly Span[]>> = {
    Status: [...awayOf(events, workers, to), ...(status === null ? [] : [{ ...status, to }])],
    Worker: workers,
    Events: eventsOf(facts),
    Detections: detections === null ? [] : [...gapsOf(detections, from, to), ...detections.map(detectionAt)],
    Outages: outagesOf(events, to),
  };
  return Object.entries(lanes).map(([name, spans]) => ({
    name,
    spans: spans
      .filter((span) => span.to >= from && span.from <= to)
      .map((span) => ({ ...span, from: Math.max(from, span.from), to: Math.min(to, span.to) })),
  }));
}

/** Where it ran: where it runs now, and back along its moves. */
function workersOf({ cameraId, events, from, keptFrom, to, workerUrl }: TimelineFacts): readonly Span[] {
  const spans: Span[] = [];
  let [end, url] = [to, workerUrl];
  const runsFrom = (at: number) => {
    if (url !== '') spans.unshift({ from: at, to: end, label: workerName(url), tone: 'info' });
  };
  for (const event of events.toReversed()) {
    if (event.type !== 'camera-moved' || event.cameraId !== cameraId) continue;
    runsFrom(timeIn(event, 'at', from));
    [end, url] = [timeIn(event, 'at', from), textIn(event, 'from')];
  }
  if (keptFrom < end) runsFrom(keptFrom);
  return spans;
}

/** When its worker was unavailable. */
function awayOf(events: readonly EventItem[], workers: readonly Span[], to: number): readonly Span[] {
  return timesOf(events, 'worker-offline', 'worker-online', to).flatMap((time) =>
    workers
      .filter(
        ({ label, ...span }) => label === workerName(time.url) && span.from < time.to && span.to > time.from,
      )
      .map((span) => ({
        from: Math.max(time.from, span.from),
        to: Math.min(time.to, span.to),
        label: `${span.label} did not report`,
        tone: 'bad' as const,
      })),
  );
}

const EVENTS: Readonly<Record<string, readonly [label: string, tone: Tone]>> = {
  'camera-moved': ['Moved', 'info'],
  'camera-move-failed': ['A move failed', 'warn'],
  'model-failed': ['Its worker cannot load the model', 'bad'],
  'subscription-removed': ['A subscription was removed', 'warn'],
};

function eventsOf({ cameraId, events, from }: TimelineFacts): readonly Span[] {
  return events.flatMap((event) => {
    const known = EVENTS[event.type];
    const of = textIn(event, 'cameraId') || textIn(event, 'subscriptionIdentifier').split(';').at(-1);
    if (known === undefined || of !== cameraId) return [];
    const [label, tone] = known;
    return instant(timeIn(event, 'at', from), label, tone);
  });
}

function gapsOf(detections: readonly number[], from: number, to: number): readonly Span[] {
  const ends = [from, ...detections, to];
  const pauses = ends.slice(1).map((end, index) => ({ from: ends[index]!, to: end }));
  const between = pauses.slice(1, -1).map((pause) => pause.to - pause.from);
  const usual = between.sort((a, b) => a - b)[(between.length - 1) >> 1] ?? 0;
  return pauses
    .filter((pause) => pause.to - pause.from >= Math.max(MIN_GAP, GAP_FACTOR * usual))
    .map((pause) => ({ ...pause, label: 'No detection', tone: 'muted' }));
}

const detectionAt = (at: number) => instant(at, 'Detection', 'ok');

function outagesOf(events: readonly EventItem[], to: number): readonly Span[] {
  const labelled = (label: string, tone: Tone, times: readonly { from: number; to: number }[]) =>
    times.map((time): Span => ({ from: time.from, to: time.to, label, tone }));
  const redis = events
    .filter(({ type }) => type === 'redis-unavailable')
    .map((event) => ({ from: timeIn(event, 'since', to), to: timeIn(event, 'until', to) }));
  return [
    ...labelled('Redis was unavailable', 'bad', redis),
    ...labelled(
      'The database was unavailable',
      'warn',
      timesOf(events, 'database-unavailable', 'database-available', to),
    ),
    ...events
      .filter(({ type }) => type === 'master-acquired')
      .map((event) => instant(timeIn(event, 'at', to), 'New master', 'info')),
  ];
}

/** The times between events of two types, for each worker that they name. A time that has not ended lasts until `to`. */
function timesOf(events: readonly EventItem[], begins: string, ends: string, to: number) {
  const open = new Map<string, number>();
  const found: { readonly from: number; readonly to: number; readonly url: string }[] = [];
  for (const event of events) {
    const url = textIn(event, 'url');
    const from = open.get(url);
    const at = timeIn(event, 'at', to);
    if (event.type === begins) open.set(url, from ?? at);
    if (event.type !== ends || from === undefined) continue;
    found.push({ from, to: at, url });
    open.delete(url);
  }
  return [...found, ...Array.from(open, ([url, from]) => ({ from, to, url }))];
}

function instant(at: number, label: string, tone: Tone): Span {
  return { from: at, to: at, label, tone };
}

function textIn(event: EventItem, field: string): string {
  const value = event[field];
  return typeof value === 'string' ? value : '';
}

function timeIn(event: EventItem, field: string, otherwise: number): number {
  return instantOf(textIn(event, field)) ?? otherwise;
}
