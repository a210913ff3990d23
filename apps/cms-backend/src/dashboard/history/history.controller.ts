import { type ClusterHistory, HISTORY_RANGES } from '@detector-cluster/dashboard-protocol';
import { Controller, Get, Inject, Query, SerializeOptions, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Operation } from '../../openapi/operation.decorator.js';
import { RedisGuard } from '../../redis/redis.guard.js';
import { SharedRedis } from '../../redis/shared-redis.js';
import { historyKeys } from './history-keys.js';
import { readHistory } from './history-reader.js';

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
    problems: [422],
  })
  @SerializeOptions({ schema: historySchema })
  read(@Query({ schema: historyQuerySchema }) { range }: HistoryQuery): Promise<ClusterHistory> {
    return readHistory(this.redis.commands, historyKeys(this.config.cluster.keyPrefix), range);
  }
}
