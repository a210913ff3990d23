import type { AlertRow, ReceiverRow, Rows } from '@detector-cluster/dashboard-protocol';
import type { DependencyStatus } from '../health/dependency-monitor.js';
import type { AlertRecord } from './alert-record.js';
import { PROMETHEUS_RULES } from './prometheus-rules.generated.js';

/** The dependencies, as the process that feeds a page sees them. */
export interface SeenSources {
  readonly redis: DependencyStatus;
  readonly database: DependencyStatus;
  readonly master: DependencyStatus;
  /** Whether a process is master. */
  readonly elected: boolean;
}

/** The alerts of the master, and those that only another process can notice. */
export function alertRows(
  { held }: AlertRecord,
  { redis, database, master, elected }: SeenSources,
): Rows<AlertRow> {
  const rows: Record<string, AlertRow> = {};
  const add = (
    name: keyof typeof PROMETHEUS_RULES,
    since: number,
    summary: string,
    workerUrl: string | null = null,
  ) => {
    const { severity, for: delay } = PROMETHEUS_RULES[name];
    const firesAt = new Date(since + delay).toISOString();
    rows[name] = { name, severity, summary, workerUrl, since: new Date(since).toISOString(), firesAt };
  };
  const served = 'The process that serves this page cannot read';
  if (!redis.ok) add('DetectorClusterProcessCutOff', redis.since, `${served} Redis.`);
  if (!database.ok) add('DetectorClusterDesiredStateUnreadable', database.since, `${served} the database.`);
  if (!elected) add('DetectorClusterNoMaster', master.since, 'There is no master.');
  else if (!master.ok)
    add('DetectorClusterStateUnknown', master.since, 'The master does not write the state of the cluster.');
  for (const { name, since, summary, workerUrl } of held) add(name, since, summary, workerUrl);
  return rows;
}

/** By name. */
export function receiverRows({ receivers, waiting, dropped }: AlertRecord): Rows<ReceiverRow> {
  return Object.fromEntries(
    Object.entries(receivers).map(([name, { sentAt, failedAt, problem }]) => [
      name,
      {
        name,
        sentAt: isoOf(sentAt),
        failedAt: isoOf(failedAt),
        problem,
        waiting: name === 'webhook' ? waiting.length : 0,
        dropped: name === 'webhook' ? dropped : 0,
      } as ReceiverRow,
    ]),
  );
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
