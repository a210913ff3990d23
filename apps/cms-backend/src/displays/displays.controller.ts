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
  displayPageSchema,
  displaySchema,
  createDisplaySchema,
  updateDisplaySchema,
  type DisplayView,
  type CreateDisplay,
  type UpdateDisplay,
} from './display.schema.js';
import { DisplayService } from './display.service.js';

@Controller('api/displays')
export class DisplaysController {
  constructor(private readonly displays: DisplayService) {}

  @Get()
  @Operation({ summary: 'List displays', problems: [422] })
  @SerializeOptions({ schema: displayPageSchema })
  list(@Query({ schema: pageQuerySchema }) query: PageQuery): Promise<Page<DisplayView>> {
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

  @Get(':displayId')
  @Operation({ summary: 'Read a display', problems: [404, 422] })
  @SerializeOptions({ schema: displaySchema })
  read(@Param('displayId', { schema: identifierParam }) displayId: string): Promise<DisplayView> {
    return this.displays.getDisplay(displayId);
  }

  @Patch(':displayId')
  @Operation({ summary: 'Change fields of a display', problems: [400, 404, 409, 413, 415, 422] })
  @SerializeOptions({ schema: displaySchema })
  update(
    @Param('displayId', { schema: identifierParam }) displayId: string,
    @Body({ schema: updateDisplaySchema }) body: UpdateDisplay,
  ): Promise<DisplayView> {
    return this.displays.updateDisplay(displayId, body);
  }

  @Delete(':displayId')
  @HttpCode(204)
  @Operation({ summary: 'Remove a display', problems: [404, 422] })
  remove(@Param('displayId', { schema: identifierParam }) displayId: string): Promise<void> {
    return this.displays.deleteDisplay(displayId);
  }
}
