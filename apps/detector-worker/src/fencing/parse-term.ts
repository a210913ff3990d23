/**
 * Term of an upgrade request's header: 0 when it is missing (a master that knows no terms), null when it is not a
 * decimal integer that a number holds exactly.
 */
export function parseTerm(header: string | readonly string[] | undefined): number | null {
  if (header === undefined) return 0;
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header)) return null;
  const term = Number(header);
  return Number.isSafeInteger(term) ? term : null;
}
