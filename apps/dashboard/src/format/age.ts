const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
