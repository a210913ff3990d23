import type { SourceRow } from '@detector-cluster/dashboard-protocol';
import { formatTime, instantOf } from '../format/instant.js';

/** The time of figures that cannot be updated during an outage; null: they are up to date. */
export function asOfOutage(outage: SourceRow | null): string | null {
  if (outage === null) return null;
  const at = instantOf(outage.since);
  return at === null ? 'Not up to date' : `As of ${formatTime(at)}`;
}
