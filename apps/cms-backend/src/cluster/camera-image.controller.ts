import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { Controller, Get, Header, Param, SerializeOptions, StreamableFile, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { identifierParam } from '../http/fields/fields.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../redis/redis.guard.js';

const JPEG = 'image/jpeg';

@Controller('api/cameras')
@UseGuards(RedisGuard)
export class CameraImageController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get(':cameraIdentifier/image')
  @Header('cache-control', 'no-store')
  @Operation({
    summary: 'Latest picture of a camera, from the worker that runs it',
    produces: JPEG,
    problems: [404, 422],
  })
  @SerializeOptions({ schema: z.any().meta({ override: { type: 'string', format: 'binary' } }) })
  async image(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
  ): Promise<StreamableFile> {
    return new StreamableFile(await this.cluster.getCameraImage(cameraIdentifier), { type: JPEG });
  }
}
