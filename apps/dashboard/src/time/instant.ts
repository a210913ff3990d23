import { IN_UTC } from './zone.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ZONE = IN_UTC ? { timeZone: 'UTC' } : {};
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...ZONE });
// In Swedish, days are written as in ISO 8601.
const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...ZONE });
const weekday = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', ...ZONE });
const offset = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset', ...ZONE });

/** Milliseconds since 1970 of an ISO 8601 text; null for any other text. */
export function instantOf(iso: string): number | null {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
}

/** The instant at which the wall clock of the reader shows `2026-11-21T16:48:26`; null for any other text. */
export function instantOnWall(text: string): number | null {
  return instantOf(IN_UTC ? `${text}Z` : text);
}

/** `16:48:26`, by the clock of the reader. */
export function formatTime(ms: number): string {
  return time.format(ms);
}

/** `2026-11-21`, by the calendar of the reader. */
export function formatDay(ms: number): string {
  return day.format(ms);
}

/** `2026-11-21 16:48:26 GMT+1` */
export function formatInstant(ms: number): string {
  return `${formatDay(ms)} ${formatTime(ms)} ${formatZone(ms)}`.trimEnd();
}

/** The reader's time zone at an instant: `GMT+1`. */
export function formatZone(ms: number): string {
  if (IN_UTC) return 'UTC';
  return offset.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** `Today`, `Yesterday`, `Friday 20 November 2026`. @param today as {@link formatDay} writes it */
export function formatDayName(ms: number, today: string): string {
  if (formatDay(ms) === today) return 'Today';
  const yesterday = new Date(Date.parse(today) - DAY).toISOString().slice(0, today.length);
  return formatDay(ms) === yesterday ? 'Yesterday' : weekday.format(ms);
}

/** Terms on Redis begin with the time in milliseconds since 1970. Null: it is the term of another store, which only counts. */
export function termBegan(term: number): number | null {
  return term > Date.UTC(2020) && term < Date.UTC(2200) ? term : null;
}

/** Formats a duration in at most two units, e.g. `3 min`, `2 h 5 min`. Milliseconds; a negative value counts as 0. */
export function formatAge(ms: number): string {
  const age = Math.max(0, ms);
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return twoUnits(age, HOUR, 'h', MINUTE, 'min');
  return twoUnits(age, DAY, 'd', HOUR, 'h');
}

function twoUnits(age: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((age % large) / small);
  return `${Math.floor(age / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}
