const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Date of a `timestamp` field. A timestamp without a zone is UTC: Python's `utcnow().isoformat()` writes such,
 * and JavaScript alone would take it for local time.
 */
export function timestampToDate(timestamp: string): Date {
  return new Date(ZONE.test(timestamp) ? timestamp : `${timestamp}Z`);
}
