import type { Rows, SourceRow } from '@detector-cluster/dashboard-protocol';
import type { DependencyStatus } from '../../health/dependency-monitor.js';

/** What the picture rests on, as the page is told. */
export function sourceRows(sources: Readonly<Record<SourceRow['name'], DependencyStatus>>): Rows<SourceRow> {
  return {
    redis: row('redis', sources.redis),
    database: row('database', sources.database),
    master: row('master', sources.master),
  };
}

function row(name: SourceRow['name'], { ok, since, problem }: DependencyStatus): SourceRow {
  return { name, ok, since: new Date(since).toISOString(), problem };
}
