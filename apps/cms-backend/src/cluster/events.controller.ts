import { DetectorCluster, type RecordedClusterEvent } from '@detector-cluster/detector-cluster';
import { Controller, Get, Query, SerializeOptions, UseGuards } from '@nestjs/common';
import { Operation } from '../openapi/operation.decorator.js';
import type { Page } from '../http/pagination.js';
import { RedisGuard } from '../redis/redis.guard.js';
import { eventsSchema, eventsQuerySchema, type EventsQuery } from './journal.schema.js';

/** What happened in the cluster, as its masters wrote it down. */
@Controller('api/cluster/events')
@UseGuards(RedisGuard)
export class EventsController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get()
  @Operation({ summary: 'The latest events, or those after a given one; oldest first', problems: [422] })
  @SerializeOptions({ schema: eventsSchema })
  async list(
    @Query({ schema: eventsQuerySchema }) { cursor, limit }: EventsQuery,
  ): Promise<Page<RecordedClusterEvent>> {
    // The latest events end the list, so no page follows them.
    if (cursor === undefined) return { items: await this.cluster.listEvents({ limit }), nextCursor: null };
    const items = await this.cluster.listEvents({ after: cursor, limit });
    const last = items.length < limit ? undefined : items.at(-1)!.eventId;
    const more = last !== undefined && (await this.cluster.listEvents({ after: last, limit: 1 })).length > 0;
    return { items, nextCursor: more ? last : null };
  }
}
