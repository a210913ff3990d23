import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
  SerializeOptions,
} from '@nestjs/common';
import type { Response } from 'express';
import { identifierParam } from '../http/fields/fields.js';
import { pageQuerySchema, type Page, type PageQuery } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import {
  cameraPageSchema,
  cameraSchema,
  createCameraSchema,
  updateCameraSchema,
  type CameraView,
  type CreateCamera,
  type UpdateCamera,
} from './camera.schema.js';
import { CameraService } from './camera.service.js';

@Controller('api/cameras')
export class CamerasController {
  constructor(private readonly cameras: CameraService) {}

  @Get()
  @Operation({ summary: 'List cameras', problems: [422] })
  @SerializeOptions({ schema: cameraPageSchema })
  list(@Query({ schema: pageQuerySchema }) query: PageQuery): Promise<Page<CameraView>> {
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

  @Get(':cameraIdentifier')
  @Operation({ summary: 'Read a camera', problems: [404, 422] })
  @SerializeOptions({ schema: cameraSchema })
  read(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
  ): Promise<CameraView> {
    return this.cameras.getCamera(cameraIdentifier);
  }

  @Patch(':cameraIdentifier')
  @Operation({ summary: 'Change fields of a camera', problems: [400, 404, 409, 413, 415, 422] })
  @SerializeOptions({ schema: cameraSchema })
  update(
    @Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string,
    @Body({ schema: updateCameraSchema }) body: UpdateCamera,
  ): Promise<CameraView> {
    return this.cameras.updateCamera(cameraIdentifier, body);
  }

  @Delete(':cameraIdentifier')
  @HttpCode(204)
  @Operation({ summary: 'Remove a camera; its displays remain without a camera', problems: [404, 422] })
  remove(@Param('cameraIdentifier', { schema: identifierParam }) cameraIdentifier: string): Promise<void> {
    return this.cameras.removeCamera(cameraIdentifier);
  }
}
