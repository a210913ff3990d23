import { Controller, Get, Query, SerializeOptions } from '@nestjs/common';
import { Operation } from '../openapi/operation.decorator.js';
import {
  detectionPageSchema,
  detectionStatsSchema,
  recentQuerySchema,
  type DetectionStatsView,
  type RecentQuery,
} from './detection.schema.js';
import { RecentDetections, type DetectionPage } from './recent-detections.js';
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
  list(@Query({ schema: recentQuerySchema }) { after, limit }: RecentQuery): DetectionPage {
    return this.recent.after(after ?? null, limit);
  }

  @Get('stats')
  @Operation({ summary: 'How many detections reached this process' })
  @SerializeOptions({ schema: detectionStatsSchema })
  stats(): DetectionStatsView {
    return { ...this.recent.stats(), history: this.stored.stats() };
  }
}
