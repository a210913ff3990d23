import { CameraImageError, CameraNotHostedError, DetectorCluster } from '@detector-cluster/detector-cluster';
import { Controller, Get, Param, Query, Res, StreamableFile, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { identifierParam, PICTURE_OF } from '../http/fields.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../stores/redis.guard.js';

const JPEG = 'image/jpeg';

const cameraImageQuerySchema = z
  .strictObject({
    picture: z.string().min(1).max(256).optional().meta({
      description:
        '`pictureId` of a detection; leave out for the latest picture. If its worker no longer has it, the answer is the latest picture. The header `X-Picture-Of` is `detection` or `latest`',
    }),
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
  @Operation({
    summary: 'Latest picture of a camera, or that of a detection, from its worker',
    produces: JPEG,
    problems: [404],
  })
  async image(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
    @Query({ schema: cameraImageQuerySchema }) { picture, worker }: CameraImageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const ofMoment =
      picture === undefined || worker === undefined
        ? null
        : await this.cluster
            .getCameraImage(cameraIdentifier, { pictureId: picture, workerUrl: worker })
            .catch(nullIfGone);
    response.setHeader(PICTURE_OF, ofMoment === null ? 'latest' : 'detection');
    return new StreamableFile(ofMoment ?? (await this.cluster.getCameraImage(cameraIdentifier)), {
      type: JPEG,
    });
  }
}

/** The worker no longer has the picture. */
function nullIfGone(error: unknown): null {
  if (error instanceof CameraNotHostedError) return null;
  if (error instanceof CameraImageError && error.problem === 'no-frame') return null;
  throw error;
}
