import { DetectorCluster, type RecordedClusterEvent } from '@detector-cluster/detector-cluster';
import { Controller, Get, Query, SerializeOptions, UseGuards } from '@nestjs/common';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../redis/redis.guard.js';
import { eventsSchema, eventsQuerySchema, type JournalQuery } from './journal.schema.js';

/** What happened in the cluster, as its masters wrote it down. */
@Controller('api/cluster/events')
@UseGuards(RedisGuard)
export class EventsController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get()
  @Operation({ summary: 'The latest events, or those after a given one; oldest first', problems: [422] })
  @SerializeOptions({ schema: eventsSchema })
  async list(
    @Query({ schema: eventsQuerySchema }) { after, limit }: JournalQuery,
  ): Promise<{ events: RecordedClusterEvent[] }> {
    return { events: await this.cluster.listEvents({ limit, ...(after !== undefined && { after }) }) };
  }
}
