import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { Body, Controller, HttpCode, Post, SerializeOptions, UseGuards } from '@nestjs/common';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../redis/redis.guard.js';
import {
  resignationSchema,
  resignRequestSchema,
  type ResignationView,
  type ResignRequest,
} from './master.schema.js';

/** Who leads the cluster. */
@Controller('api/cluster/master')
@UseGuards(RedisGuard)
export class MasterController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Post('resign')
  @HttpCode(200)
  @Operation({
    summary: 'Resign the master; 409 when another process is master by then',
    problems: [400, 409, 413, 415, 422],
  })
  @SerializeOptions({ schema: resignationSchema })
  async resign(@Body({ schema: resignRequestSchema }) { term }: ResignRequest): Promise<ResignationView> {
    const resignation = await this.cluster.resignMaster(term === undefined ? {} : { term });
    return { resigned: true, ...resignation };
  }
}
