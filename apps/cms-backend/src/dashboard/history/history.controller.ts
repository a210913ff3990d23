import {
  type ClusterHistory,
  HISTORY_RANGES,
  type HistoryPoint,
  type HistoryRange,
  RESOLUTIONS,
} from '@detector-cluster/dashboard-protocol';
import { Controller, Get, Inject, Query, UseGuards } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Operation } from '../../openapi/operation.decorator.js';
import { RedisGuard } from '../../stores/redis.guard.js';
import { SharedRedis } from '../../stores/shared-redis.js';
import { type HistoryKeys, historyKeys } from './history-keys.js';
import { decodeRecord, type HistoryRecord } from './history-record.js';
import { WorkerLines } from './worker-lines.js';

/** Reads the records of the masters, in any process. Rejects if Redis fails. */
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
  const { samples: _, ...figures } = record;
  return {
    ...figures,
    at: new Date(record.at).toISOString(),
    loads: shown.map(({ line }) => record.loads[line] ?? null),
  };
}

const historyQuerySchema = z.strictObject({
  range: z
    .enum(HISTORY_RANGES, `must be one of ${HISTORY_RANGES.join(', ')}`)
    .default('15m')
    .meta({ description: 'How far back; each range ends now' }),
});

type HistoryQuery = z.infer<typeof historyQuerySchema>;

const percent = z.number().nullable();

const historyPointSchema = z
  .object({
    at: z.string().meta({ description: 'When the interval began' }),
    detectionsPerSecond: z.number().nullable().meta({ description: 'Mean, of all processes' }),
    lagMs: z.number().nullable().meta({ description: 'Longest lag of a process' }),
    meanLoad: percent.meta({ description: 'Percent, of all workers' }),
    highestLoad: percent.meta({ description: 'Percent, of all workers' }),
    loads: z.array(percent).meta({
      description:
        'Mean load of each of `workers`: usage of the processor or of the GPU, the higher one. Percent',
    }),
    subscriptions: z
      .object({ active: z.number(), pending: z.number(), recovering: z.number(), failed: z.number() })
      .meta({ description: 'Mean number of subscriptions by status' }),
    failovers: z.int().meta({ description: 'Terms that began in this interval' }),
  })
  .meta({ id: 'HistoryPoint' });

const historySchema = z
  .object({
    range: z.enum(HISTORY_RANGES),
    from: z.string(),
    to: z.string(),
    step: z.int().meta({ description: 'Length of an interval in milliseconds' }),
    workers: z.array(z.string()).meta({ description: 'At most 64 workers have a load of their own' }),
    points: z
      .array(historyPointSchema)
      .meta({ description: 'In the order of time; intervals without a master are missing' }),
  })
  .meta({ id: 'ClusterHistory' });

/** The figures of the last 24 hours, the same in every process. */
@Controller('api/cluster/history')
@UseGuards(RedisGuard)
export class HistoryController {
  constructor(
    private readonly redis: SharedRedis,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  @Get()
  @Operation({
    summary: 'Rate, lag, load, subscriptions and failovers over time, as masters recorded them',
    answer: historySchema,
  })
  read(@Query({ schema: historyQuerySchema }) { range }: HistoryQuery): Promise<ClusterHistory> {
    return readHistory(this.redis.commands, historyKeys(this.config.cluster.keyPrefix), range);
  }
}
