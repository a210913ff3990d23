import { Controller, Get, Inject, Query, SerializeOptions } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { PRISMA } from '../../database/prisma-client.js';
import type { PrismaClient } from '../../generated/prisma/client.js';
import type { Page } from '../../http/pagination.js';
import { problems } from '../../http/problem/problems.js';
import { Operation } from '../../openapi/operation.decorator.js';
import { findStored } from './find-stored.js';
import {
  storedPageSchema,
  storedQuerySchema,
  type StoredDetectionView,
  type StoredQuery,
} from './stored-detection.schema.js';

/** The detections of the whole cluster that the database keeps. */
@Controller('api/detections')
export class StoredDetectionsController {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(PRISMA) private readonly prisma: PrismaClient,
  ) {}

  @Get()
  @Operation({
    summary: 'Search the detections of the last hours, newest first; 404 unless DETECTION_HISTORY is on',
    problems: [404, 422],
  })
  @SerializeOptions({ schema: storedPageSchema })
  async list(@Query({ schema: storedQuerySchema }) query: StoredQuery): Promise<Page<StoredDetectionView>> {
    if (this.config.detectionHistory === null)
      throw problems.notFound('this service keeps no detections: set DETECTION_HISTORY=true');
    return findStored(this.prisma, query);
  }
}
