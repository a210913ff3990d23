const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** `hh:mm:ss` of this machine's time zone; a dash for what is no time. */
export function clockTime(time: string | number): string {
  return format(clock, time);
}

/** With the day. */
export function fullTime(time: string | number): string {
  return format(full, time);
}

/** A length of time in its largest one or two units: `42 s`, `3 min`, `2 h 5 min`, `4 d 1 h`. Negative ones are 0. */
export function duration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (!Number.isFinite(ms)) return '–';
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return two(ms, HOUR, 'h', MINUTE, 'min');
  return two(ms, DAY, 'd', HOUR, 'h');
}

function two(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  const first = `${Math.floor(ms / large)} ${largeName}`;
  return rest === 0 ? first : `${first} ${rest} ${smallName}`;
}

function format(by: Intl.DateTimeFormat, time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '–' : by.format(date);
}
