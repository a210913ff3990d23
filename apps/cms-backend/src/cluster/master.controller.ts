import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { Controller, UseGuards, Post, HttpCode, Body } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../stores/redis.guard.js';

const resignRequestSchema = z
  .strictObject({
    term: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .optional()
      .meta({ description: 'Resign only the master of this term; leave out to resign the current master' }),
  })
  .meta({ id: 'ResignRequest' })
  .prefault({});
type ResignRequest = z.infer<typeof resignRequestSchema>;
const resignationSchema = z
  .object({
    resigned: z.literal(true),
    term: z.int().meta({ description: 'The term that has ended' }),
    processId: z.string().meta({ description: 'The master of that term' }),
  })
  .meta({ id: 'Resignation' });
type ResignationView = z.infer<typeof resignationSchema>;
/** Who leads the cluster. */
@Controller('api/cluster/master')
@UseGuards(RedisGuard)
export class MasterController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Post('resign')
  @HttpCode(200)
  @Operation({
    summary: 'Resign the master; 409 when another process is master by then',
    answer: resignationSchema,
  })
  async resign(@Body({ schema: resignRequestSchema }) { term }: ResignRequest): Promise<ResignationView> {
    const resignation = await this.cluster.resignMaster(term === undefined ? {} : { term });
    return { resigned: true, ...resignation };
  }
}
