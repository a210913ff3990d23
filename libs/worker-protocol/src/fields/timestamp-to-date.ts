const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Date of a `timestamp` field. A timestamp without a zone is UTC: Python's `utcnow().isoformat()` writes it so, whereas
 * JavaScript would read it as local time.
 */
export function timestampToDate(timestamp: string): Date {
  return new Date(ZONE.test(timestamp) ? timestamp : `${timestamp}Z`);
}
