import { DetectorCluster, type ReplayResult } from '@detector-cluster/detector-cluster';
import { Body, Controller, Get, HttpCode, Post, Query, SerializeOptions, UseGuards } from '@nestjs/common';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../redis/redis.guard.js';
import {
  deadLettersSchema,
  journalQuerySchema,
  replayRequestSchema,
  replaySchema,
  type DeadLettersView,
  type JournalQuery,
  type ReplayRequest,
} from './journal.schema.js';

/** Detections whose callbacks failed for good. */
@Controller('api/cluster/dead-letters')
@UseGuards(RedisGuard)
export class DeadLettersController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get()
  @Operation({ summary: 'Detections that were given up, oldest first', problems: [422] })
  @SerializeOptions({ schema: deadLettersSchema })
  async list(
    @Query({ schema: journalQuerySchema }) { after, limit }: JournalQuery,
  ): Promise<DeadLettersView> {
    const letters = await this.cluster.listDeadLetters({ limit, ...(after !== undefined && { after }) });
    return {
      deadLetters: letters.map((letter) => ({
        ...letter,
        failedAt: Number.isNaN(letter.failedAt.getTime()) ? '' : letter.failedAt.toISOString(),
      })),
    };
  }

  @Post('replay')
  @HttpCode(200)
  @Operation({
    summary: 'Have detections that were given up delivered again',
    problems: [400, 413, 415, 422],
  })
  @SerializeOptions({ schema: replaySchema })
  replay(@Body({ schema: replayRequestSchema }) { ids }: ReplayRequest): Promise<ReplayResult> {
    return this.cluster.replayDeadLetters(ids);
  }
}
