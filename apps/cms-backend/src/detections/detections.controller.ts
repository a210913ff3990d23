import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { cameraQuery } from '../http/fields.js';
import { cursorAt, pageFields, placeIn } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import { cameraOf } from './detection-facts.js';
import { receivedDetectionSchema, RecentDetections } from './recent-detections.js';
import { StoredDetections } from './stored-detections.js';

const ARRIVAL = /^\d{1,16}$/;

const recentQuerySchema = z.strictObject({
  ...pageFields,
  cursor: pageFields.cursor.meta({
    description:
      '`nextCursor` of the page before, or of the stats for what arrives from then on; leave out to start at the oldest that is kept',
  }),
  camera: cameraQuery,
});

const detectionPageSchema = z
  .object({
    items: z.array(receivedDetectionSchema),
    nextCursor: z.string().meta({
      description: 'Pass it as `cursor` to read on, now or later; it is never null, because more may follow',
    }),
    missed: z.boolean().meta({ description: 'Whether detections were dropped before they were read' }),
  })
  .meta({ id: 'DetectionPage' });

const detectionStatsSchema = z
  .object({
    delivered: z.int().meta({ description: 'Detections handed to this process, duplicates included' }),
    redelivered: z.int().meta({ description: 'How many of them were marked as redelivered' }),
    nextCursor: z.string().meta({ description: 'Leads to the detections that arrive from now on' }),
    history: z
      .object({
        stored: z.int().meta({ description: 'Written to the database by this process' }),
        dropped: z.int().meta({
          description: 'Not kept, because the database was unavailable or too slow, or refused them',
        }),
        waiting: z.int(),
      })
      .nullable()
      .meta({ description: 'Null unless DETECTION_HISTORY is on' }),
  })
  .meta({ id: 'DetectionStats' });

type RecentQuery = z.infer<typeof recentQuerySchema>;

/** The detections that reached the callbacks of this process. Other processes have others. */
@Controller('api/detections')
export class DetectionsController {
  constructor(
    private readonly recent: RecentDetections,
    private readonly stored: StoredDetections,
  ) {}

  @Get('recent')
  @Operation({
    summary: 'Detections that reached this process, in the order of arrival',
    answer: detectionPageSchema,
  })
  list(@Query({ schema: recentQuerySchema }) { cursor, limit, camera }: RecentQuery) {
    const { nextCursor, ...page } = this.recent.after(
      cursor === undefined ? null : Number(placeIn(cursor, ARRIVAL)),
      limit,
      ({ subscriptionIdentifier }) => camera === undefined || cameraOf(subscriptionIdentifier) === camera,
    );
    return { ...page, nextCursor: cursorAt(String(nextCursor)) };
  }

  @Get('stats')
  @Operation({ summary: 'How many detections reached this process', answer: detectionStatsSchema })
  stats() {
    const { lastArrival, ...stats } = this.recent.stats();
    return {
      ...stats,
      nextCursor: cursorAt(String(lastArrival)),
      history: this.stored.store?.stats() ?? null,
    };
  }
}
