import { Controller, Get, SerializeOptions } from '@nestjs/common';
import { z } from 'zod';
import { OpenApiService } from './openapi.service.js';
import { Operation } from './operation.decorator.js';

const documentSchema = z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' });

@Controller('api')
export class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get('openapi.json')
  @Operation({ summary: 'The OpenAPI description of this service' })
  @SerializeOptions({ schema: documentSchema })
  document(): Promise<object> {
    return this.openApi.document();
  }
}
