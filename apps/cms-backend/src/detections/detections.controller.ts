import { Controller, Get, Query, SerializeOptions } from '@nestjs/common';
import { Operation } from '../openapi/operation.decorator.js';
import {
  type DetectionPageView,
  detectionPageSchema,
  detectionStatsSchema,
  recentQuerySchema,
  type DetectionStatsView,
  type RecentQuery,
} from './detection.schema.js';
import { RecentDetections } from './recent-detections.js';
import { StoredDetections } from './stored/stored-detections.js';

/** What reached the callbacks of this process; the other processes have their own. */
@Controller('api/detections')
export class DetectionsController {
  constructor(
    private readonly recent: RecentDetections,
    private readonly stored: StoredDetections,
  ) {}

  @Get('recent')
  @Operation({ summary: 'Detections that reached this process, in the order of arrival', problems: [422] })
  @SerializeOptions({ schema: detectionPageSchema })
  list(@Query({ schema: recentQuerySchema }) { cursor, limit }: RecentQuery): DetectionPageView {
    const { nextCursor, ...page } = this.recent.after(cursor === undefined ? null : Number(cursor), limit);
    return { ...page, nextCursor: String(nextCursor) };
  }

  @Get('stats')
  @Operation({ summary: 'How many detections reached this process' })
  @SerializeOptions({ schema: detectionStatsSchema })
  stats(): DetectionStatsView {
    return { ...this.recent.stats(), history: this.stored.stats() };
  }
}
