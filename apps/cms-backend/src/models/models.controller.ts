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
import { idParam } from '../http/fields.js';
import type { Page } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import {
  modelPageSchema,
  modelSchema,
  modelsQuerySchema,
  createModelSchema,
  putModelsSchema,
  updateModelSchema,
  type ModelView,
  type ModelsQuery,
  type CreateModel,
  type PutModels,
  type UpdateModel,
} from './model.schema.js';
import { ModelService } from './model.service.js';

@Controller('api/models')
export class ModelsController {
  constructor(private readonly models: ModelService) {}

  @Get()
  @Operation({ summary: 'List models', problems: [422] })
  @SerializeOptions({ schema: modelPageSchema })
  list(@Query({ schema: modelsQuerySchema }) query: ModelsQuery): Promise<Page<ModelView>> {
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

  @Put()
  @Operation({
    summary: 'Add models, and change those that exist: all or none',
    conditional: true,
    problems: [400, 413, 415, 422, 428],
  })
  @SerializeOptions({ schema: putResultSchema })
  putAll(
    @Body({ schema: putModelsSchema }) body: PutModels,
    @Query({ schema: putQuerySchema }) { dryRun }: PutQuery,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PutResult> {
    return this.models.putModels(body, { dryRun, overwrite: mayOverwrite(ifMatch) });
  }

  @Get(':id')
  @Operation({ summary: 'Read a model', problems: [404, 422] })
  @SerializeOptions({ schema: modelSchema })
  read(@Param('id', { schema: idParam }) id: number): Promise<ModelView> {
    return this.models.getModel(id);
  }

  @Patch(':id')
  @Operation({
    summary: 'Change fields of a model',
    conditional: true,
    problems: [400, 404, 409, 413, 415, 422],
  })
  @SerializeOptions({ schema: modelSchema })
  update(
    @Param('id', { schema: idParam }) id: number,
    @Body({ schema: updateModelSchema }) body: UpdateModel,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ModelView> {
    return this.models.updateModel(id, body, readIfMatch(ifMatch));
  }

  @Get(':id/removal')
  @Operation({ summary: 'What the removal of a model would do', problems: [404, 422] })
  @SerializeOptions({ schema: removalSchema })
  removal(@Param('id', { schema: idParam }) id: number): Promise<Removal> {
    return this.models.previewRemoval(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    summary: 'Remove a model; 409 while playlists use it',
    conditional: true,
    problems: [404, 409, 422],
  })
  remove(
    @Param('id', { schema: idParam }) id: number,
    @Query({ schema: removeQuerySchema }) { detach }: RemoveQuery,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    return this.models.removeModel(id, { precondition: readIfMatch(ifMatch), detach });
  }
}
