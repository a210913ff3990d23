import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { Controller, Get, Inject, Query, type StreamableFile, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import {
  findStored,
  storedDetectionSchema,
  storedQuerySchema,
} from '../detections/stored-detections.controller.js';
import { StoredDetections } from '../detections/stored-detections.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { auditEntrySchema, auditQuerySchema, findActions } from '../http/audit.controller.js';
import { exported, exportQuery } from '../http/export.js';
import { Operation } from '../openapi/operation.decorator.js';
import { PRISMA } from '../stores/prisma-client.js';
import { RedisGuard } from '../stores/redis.guard.js';
import { subscriptionSchema, subscriptionsQuerySchema } from './cluster.schema.js';
import { findEvents } from './find-events.js';
import { findSubscriptions } from './find-subscriptions.js';
import { eventsQuerySchema } from './journal.schema.js';

const eventsQuery = exportQuery(eventsQuerySchema);
const subscriptionsQuery = exportQuery(subscriptionsQuerySchema);
const detectionsQuery = exportQuery(storedQuerySchema);
const auditQuery = exportQuery(auditQuerySchema);

const eventSchema = z.object({
  eventId: z.string(),
  at: z.string(),
  type: z.string(),
  term: z.number(),
  details: z.unknown(),
});

/** Lists as files, with the filters of the lists. */
@Controller('api/export')
export class ExportController {
  constructor(
    private readonly cluster: DetectorCluster,
    private readonly stored: StoredDetections,
    @Inject(PRISMA) private readonly prisma: PrismaClient,
  ) {}

  @Get('events')
  @UseGuards(RedisGuard)
  @Operation({ summary: 'Export events', produces: 'text/csv' })
  events(
    @Query({ schema: eventsQuery }) { format, ...query }: z.infer<typeof eventsQuery>,
  ): Promise<StreamableFile> {
    return exported({
      name: 'events',
      format,
      item: eventSchema,
      read: async (page) => {
        const { items, nextCursor } = await findEvents(this.cluster, {
          ...query,
          ...page,
          sort: query.sort ?? 'at',
        });
        return {
          items: items.map(({ eventId, at, type, term, ...details }) => ({
            eventId,
            at,
            type,
            term,
            details,
          })),
          nextCursor,
        };
      },
    });
  }

  @Get('subscriptions')
  @UseGuards(RedisGuard)
  @Operation({ summary: 'Export subscriptions', produces: 'text/csv' })
  subscriptions(
    @Query({ schema: subscriptionsQuery }) { format, ...query }: z.infer<typeof subscriptionsQuery>,
  ): Promise<StreamableFile> {
    return exported({
      name: 'subscriptions',
      format,
      item: subscriptionSchema,
      // They are one list in memory, and its pages would be sorted one by one.
      read: () => findSubscriptions(this.cluster, { ...query, limit: Number.MAX_SAFE_INTEGER }),
    });
  }

  @Get('detections')
  @Operation({
    summary: 'Export stored detections; 404 unless DETECTION_HISTORY is on',
    produces: 'text/csv',
    problems: [404],
  })
  detections(
    @Query({ schema: detectionsQuery }) { format, ...query }: z.infer<typeof detectionsQuery>,
  ): Promise<StreamableFile> {
    this.stored.requireHistory();
    return exported({
      name: 'detections',
      format,
      item: storedDetectionSchema,
      read: (page) => findStored(this.prisma, { ...query, ...page }),
    });
  }

  @Get('audit')
  @Operation({ summary: 'Export the audit trail', produces: 'text/csv' })
  audit(
    @Query({ schema: auditQuery }) { format, ...query }: z.infer<typeof auditQuery>,
  ): Promise<StreamableFile> {
    return exported({
      name: 'audit',
      format,
      item: auditEntrySchema,
      read: (page) => findActions(this.prisma, { ...query, ...page }),
    });
  }
}
