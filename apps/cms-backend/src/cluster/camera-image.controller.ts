import { DetectorCluster } from '@detector-cluster/detector-cluster';
import {
  Controller,
  Get,
  Header,
  Param,
  Query,
  SerializeOptions,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import { z } from 'zod';
import { identifierParam } from '../http/fields/fields.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../redis/redis.guard.js';

const JPEG = 'image/jpeg';

const cameraImageQuerySchema = z
  .strictObject({
    picture: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({ description: '`pictureId` of a detection; leave out for the latest picture' }),
    worker: z.string().min(1).max(2_048).optional().meta({ description: '`workerUrl` of that detection' }),
  })
  .refine(({ picture, worker }) => (picture === undefined) === (worker === undefined), {
    message: 'must be given together with worker',
    path: ['picture'],
  });

type CameraImageQuery = z.infer<typeof cameraImageQuerySchema>;

@Controller('api/cameras')
@UseGuards(RedisGuard)
export class CameraImageController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get(':cameraIdentifier/image')
  @Header('cache-control', 'no-store')
  @Operation({
    summary: 'Latest picture of a camera, or that of a detection, from its worker',
    produces: JPEG,
    problems: [404, 422],
  })
  @SerializeOptions({ schema: z.any().meta({ override: { type: 'string', format: 'binary' } }) })
  async image(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
    @Query({ schema: cameraImageQuerySchema }) { picture, worker }: CameraImageQuery,
  ): Promise<StreamableFile> {
    const moment =
      picture === undefined || worker === undefined ? undefined : { pictureId: picture, workerUrl: worker };
    return new StreamableFile(await this.cluster.getCameraImage(cameraIdentifier, moment), { type: JPEG });
  }
}
