import type { ClusterHistory } from '@detector-cluster/dashboard-protocol';
import { Controller, Get, Inject, Query, SerializeOptions, UseGuards } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Operation } from '../../openapi/operation.decorator.js';
import { RedisGuard } from '../../redis/redis.guard.js';
import { SharedRedis } from '../../redis/shared-redis.js';
import { historyKeys } from './history-keys.js';
import { readHistory } from './history-reader.js';
import { historyQuerySchema, historySchema, type HistoryQuery } from './history.schema.js';

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
