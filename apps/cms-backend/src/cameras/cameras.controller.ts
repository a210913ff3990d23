import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
  SerializeOptions,
} from '@nestjs/common';
import type { Response } from 'express';
import {
  putQuerySchema,
  putResultSchema,
  removalSchema,
  removeQuerySchema,
  type PutQuery,
  type RemoveQuery,
} from '../entries/entries.schema.js';
import type { PutResult, Removal } from '../entries/entry-store.js';
import { mayOverwrite, readIfMatch } from '../http/etag.js';
import { identifierParam } from '../http/fields.js';
import type { Page } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import {
  cameraPageSchema,
  cameraSchema,
  camerasQuerySchema,
  createCameraSchema,
  putCamerasSchema,
  updateCameraSchema,
  type CameraView,
  type CamerasQuery,
  type CreateCamera,
  type PutCameras,
  type UpdateCamera,
} from './camera.schema.js';
import { CameraService } from './camera.service.js';

@Controller('api/cameras')
export class CamerasController {
  constructor(private readonly cameras: CameraService) {}

  @Get()
  @Operation({ summary: 'List cameras', problems: [422] })
  @SerializeOptions({ schema: cameraPageSchema })
  list(@Query({ schema: camerasQuerySchema }) query: CamerasQuery): Promise<Page<CameraView>> {
    return this.cameras.getCameras(query);
  }

  @Post()
  @Operation({ summary: 'Add a camera', problems: [400, 409, 413, 415, 422] })
  @SerializeOptions({ schema: cameraSchema })
  async create(
    @Body({ schema: createCameraSchema }) body: CreateCamera,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CameraView> {
    const camera = await this.cameras.addCamera(body);
    response.location(`/api/cameras/${encodeURIComponent(camera.cameraIdentifier)}`);
    return camera;
  }

  @Put()
  @Operation({
    summary: 'Add cameras, and change those that exist: all or none',
    conditional: true,
    problems: [400, 413, 415, 422, 428],
  })
  @SerializeOptions({ schema: putResultSchema })
  putAll(
    @Body({ schema: putCamerasSchema }) body: PutCameras,
    @Query({ schema: putQuerySchema }) { dryRun }: PutQuery,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PutResult> {
    return this.cameras.putCameras(body, { dryRun, overwrite: mayOverwrite(ifMatch) });
  }

  @Get(':cameraIdentifier')
  @Operation({ summary: 'Read a camera', problems: [404, 422] })
  @SerializeOptions({ schema: cameraSchema })
  read(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
  ): Promise<CameraView> {
    return this.cameras.getCamera(cameraIdentifier);
  }

  @Patch(':cameraIdentifier')
  @Operation({
    summary: 'Change fields of a camera',
    conditional: true,
    problems: [400, 404, 409, 413, 415, 422],
  })
  @SerializeOptions({ schema: cameraSchema })
  update(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
    @Body({ schema: updateCameraSchema }) body: UpdateCamera,
    @Headers('if-match') ifMatch?: string,
  ): Promise<CameraView> {
    return this.cameras.updateCamera(cameraIdentifier, body, readIfMatch(ifMatch));
  }

  @Get(':cameraIdentifier/removal')
  @Operation({ summary: 'What the removal of a camera would do', problems: [404, 422] })
  @SerializeOptions({ schema: removalSchema })
  removal(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
  ): Promise<Removal> {
    return this.cameras.previewRemoval(cameraIdentifier);
  }

  @Delete(':cameraIdentifier')
  @HttpCode(204)
  @Operation({
    summary: 'Remove a camera; 409 while displays use it',
    conditional: true,
    problems: [404, 409, 422],
  })
  remove(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
    @Query({ schema: removeQuerySchema }) { detach }: RemoveQuery,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    return this.cameras.removeCamera(cameraIdentifier, { precondition: readIfMatch(ifMatch), detach });
  }
}
