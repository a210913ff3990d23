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
import { idParam } from '../http/fields/fields.js';
import { pageQuerySchema, type Page, type PageQuery } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import {
  modelPageSchema,
  modelSchema,
  createModelSchema,
  updateModelSchema,
  type ModelView,
  type CreateModel,
  type UpdateModel,
} from './model.schema.js';
import { ModelService } from './model.service.js';

@Controller('api/models')
export class ModelsController {
  constructor(private readonly models: ModelService) {}

  @Get()
  @Operation({ summary: 'List models', problems: [422] })
  @SerializeOptions({ schema: modelPageSchema })
  list(@Query({ schema: pageQuerySchema }) query: PageQuery): Promise<Page<ModelView>> {
    return this.models.getModels(query);
  }

  @Post()
  @Operation({ summary: 'Add a model', problems: [400, 409, 413, 415, 422] })
  @SerializeOptions({ schema: modelSchema })
  async create(
    @Body({ schema: createModelSchema }) body: CreateModel,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ModelView> {
    const model = await this.models.addModel(body);
    response.location(`/api/models/${model.id}`);
    return model;
  }

  @Get(':id')
  @Operation({ summary: 'Read a model', problems: [404, 422] })
  @SerializeOptions({ schema: modelSchema })
  read(@Param('id', { schema: idParam }) id: number): Promise<ModelView> {
    return this.models.getModel(id);
  }

  @Patch(':id')
  @Operation({ summary: 'Change fields of a model', problems: [400, 404, 409, 413, 415, 422] })
  @SerializeOptions({ schema: modelSchema })
  update(
    @Param('id', { schema: idParam }) id: number,
    @Body({ schema: updateModelSchema }) body: UpdateModel,
  ): Promise<ModelView> {
    return this.models.updateModel(id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({ summary: 'Remove a model; its playlists remain without a model', problems: [404, 422] })
  remove(@Param('id', { schema: idParam }) id: number): Promise<void> {
    return this.models.removeModel(id);
  }
}
