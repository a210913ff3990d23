import {
  RESOLUTIONS,
  type ClusterHistory,
  type HistoryPoint,
  type HistoryRange,
} from '@detector-cluster/dashboard-protocol';
import type { Redis } from 'ioredis';
import { decodeRecord, type HistoryRecord } from './history-record.js';
import type { HistoryKeys } from './history-keys.js';
import { WorkerLines } from './worker-lines.js';

/** Reads what masters have recorded, in any process. Rejects as Redis does. */
export async function readHistory(
  redis: Pick<Redis, 'hvals' | 'get'>,
  keys: HistoryKeys,
  range: HistoryRange,
  now = Date.now(),
): Promise<ClusterHistory> {
  const { span, step } = RESOLUTIONS[range];
  const [texts, lines] = await Promise.all([redis.hvals(keys.ring(range)), redis.get(keys.lines)]);
  const from = now - span;
  const records = texts
    .flatMap((text) => decodeRecord(text) ?? [])
    // A slot keeps its record until another interval uses it, which may never happen.
    .filter(({ at }) => at > from - step)
    .sort((a, b) => a.at - b.at);
  const shown = new WorkerLines(lines).urls
    .map((url, line) => ({ url, line }))
    .filter(({ line }) => records.some(({ loads }) => (loads[line] ?? null) !== null))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
  return {
    range,
    from: new Date(from).toISOString(),
    to: new Date(now).toISOString(),
    step,
    workers: shown.map(({ url }) => url),
    points: records.map((record) => toPoint(record, shown)),
  };
}

function toPoint(record: HistoryRecord, shown: readonly { readonly line: number }[]): HistoryPoint {
  const { active, pending, recovering, failed } = record;
  return {
    at: new Date(record.at).toISOString(),
    detectionsPerSecond: record.rate,
    lagMs: record.lag,
    meanLoad: record.meanLoad,
    highestLoad: record.highestLoad,
    loads: shown.map(({ line }) => record.loads[line] ?? null),
    subscriptions: { active, pending, recovering, failed },
    failovers: record.failovers,
  };
}
