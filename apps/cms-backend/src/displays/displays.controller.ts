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
  displayPageSchema,
  displaySchema,
  displaysQuerySchema,
  createDisplaySchema,
  putDisplaysSchema,
  updateDisplaySchema,
  type DisplayView,
  type DisplaysQuery,
  type CreateDisplay,
  type PutDisplays,
  type UpdateDisplay,
} from './display.schema.js';
import { DisplayService } from './display.service.js';

@Controller('api/displays')
export class DisplaysController {
  constructor(private readonly displays: DisplayService) {}

  @Get()
  @Operation({ summary: 'List displays', problems: [422] })
  @SerializeOptions({ schema: displayPageSchema })
  list(@Query({ schema: displaysQuerySchema }) query: DisplaysQuery): Promise<Page<DisplayView>> {
    return this.displays.getDisplays(query);
  }

  @Post()
  @Operation({ summary: 'Add a display', problems: [400, 409, 413, 415, 422] })
  @SerializeOptions({ schema: displaySchema })
  async create(
    @Body({ schema: createDisplaySchema }) body: CreateDisplay,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DisplayView> {
    const display = await this.displays.registerDisplay(body);
    response.location(`/api/displays/${encodeURIComponent(display.displayId)}`);
    return display;
  }

  @Put()
  @Operation({
    summary: 'Add displays, and change those that exist: all or none',
    conditional: true,
    problems: [400, 413, 415, 422, 428],
  })
  @SerializeOptions({ schema: putResultSchema })
  putAll(
    @Body({ schema: putDisplaysSchema }) body: PutDisplays,
    @Query({ schema: putQuerySchema }) { dryRun }: PutQuery,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PutResult> {
    return this.displays.putDisplays(body, { dryRun, overwrite: mayOverwrite(ifMatch) });
  }

  @Get(':displayId')
  @Operation({ summary: 'Read a display', problems: [404, 422] })
  @SerializeOptions({ schema: displaySchema })
  read(@Param('displayId', { schema: identifierParam }) displayId: string): Promise<DisplayView> {
    return this.displays.getDisplay(displayId);
  }

  @Patch(':displayId')
  @Operation({
    summary: 'Change fields of a display',
    conditional: true,
    problems: [400, 404, 409, 413, 415, 422],
  })
  @SerializeOptions({ schema: displaySchema })
  update(
    @Param('displayId', { schema: identifierParam }) displayId: string,
    @Body({ schema: updateDisplaySchema }) body: UpdateDisplay,
    @Headers('if-match') ifMatch?: string,
  ): Promise<DisplayView> {
    return this.displays.updateDisplay(displayId, body, readIfMatch(ifMatch));
  }

  @Get(':displayId/removal')
  @Operation({ summary: 'What the removal of a display would do', problems: [404, 422] })
  @SerializeOptions({ schema: removalSchema })
  removal(@Param('displayId', { schema: identifierParam }) displayId: string): Promise<Removal> {
    return this.displays.previewRemoval(displayId);
  }

  @Delete(':displayId')
  @HttpCode(204)
  @Operation({ summary: 'Remove a display', conditional: true, problems: [404, 409, 422] })
  remove(
    @Param('displayId', { schema: identifierParam }) displayId: string,
    @Query({ schema: removeQuerySchema }) { detach }: RemoveQuery,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    return this.displays.deleteDisplay(displayId, { precondition: readIfMatch(ifMatch), detach });
  }
}
