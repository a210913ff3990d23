import { DetectorCluster, type RecordedClusterEvent } from '@detector-cluster/detector-cluster';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import type { Page } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../stores/redis.guard.js';
import { findEvents } from './find-events.js';
import { type EventsQuery, eventsQuerySchema, eventsSchema } from './journal.schema.js';

/** The events that the masters have recorded. */
@Controller('api/cluster/events')
@UseGuards(RedisGuard)
export class EventsController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get()
  @Operation({
    summary: 'Events of the cluster: the latest ones, those after a given one, or sorted',
    answer: eventsSchema,
  })
  list(@Query({ schema: eventsQuerySchema }) query: EventsQuery): Promise<Page<RecordedClusterEvent>> {
    return findEvents(this.cluster, query);
  }
}
