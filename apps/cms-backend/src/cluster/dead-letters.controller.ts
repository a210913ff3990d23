import { DetectorCluster, type DropResult, type ReplayResult } from '@detector-cluster/detector-cluster';
import { Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import type { Page } from '../http/pagination.js';
import { problems } from '../http/problems.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../stores/redis.guard.js';
import { type DeadLetterView, findLetters } from './find-letters.js';
import {
  type DeadLettersQuery,
  deadLettersQuerySchema,
  deadLettersSchema,
  dropRequestSchema,
  dropSchema,
  type LettersRequest,
  replayRequestSchema,
  replaySchema,
} from './journal.schema.js';

/** Detections whose callbacks failed for good. */
@Controller('api/cluster/dead-letters')
@UseGuards(RedisGuard)
export class DeadLettersController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get()
  @Operation({ summary: 'Detections whose callbacks failed after all retries', answer: deadLettersSchema })
  list(@Query({ schema: deadLettersQuerySchema }) query: DeadLettersQuery): Promise<Page<DeadLetterView>> {
    return findLetters(this.cluster, query);
  }

  @Post('replay')
  @HttpCode(200)
  @Operation({ summary: 'Deliver dead letters again', problems: [404], answer: replaySchema })
  async replay(@Body({ schema: replayRequestSchema }) { ids }: LettersRequest): Promise<ReplayResult> {
    return notAllGone(ids, await this.cluster.replayDeadLetters(ids));
  }

  @Post('drop')
  @HttpCode(200)
  @Operation({ summary: 'Remove dead letters permanently', problems: [404], answer: dropSchema })
  async drop(@Body({ schema: dropRequestSchema }) { ids }: LettersRequest): Promise<DropResult> {
    return notAllGone(ids, await this.cluster.dropDeadLetters(ids));
  }
}

/** The number of ids in the message. */
const NAMED = 10;

/** Throws a 404 if none of the named letters exists, because the request had no effect then. */
function notAllGone<T extends { readonly gone: readonly string[] }>(
  ids: LettersRequest['ids'],
  result: T,
): T {
  const { gone } = result;
  if (ids === 'all' || gone.length < new Set(ids).size) return result;
  const more = gone.length > NAMED ? `, and ${gone.length - NAMED} more` : '';
  throw problems.notFound(
    `there is no dead letter ${gone.slice(0, NAMED).join(', ')}${more}: replayed or dropped before`,
  );
}
