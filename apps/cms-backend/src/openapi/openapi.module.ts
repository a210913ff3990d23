import { Controller, Get, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { z } from 'zod';
import { Operation } from './operation.decorator.js';
import { OpenApiService } from './openapi.service.js';

const documentSchema = z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' });

@Controller('api')
class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get('openapi.json')
  @Operation({ summary: 'The OpenAPI description of this service', answer: documentSchema })
  document(): Promise<object> {
    return this.openApi.document();
  }
}

@Module({ imports: [DiscoveryModule], controllers: [OpenApiController], providers: [OpenApiService] })
export class OpenApiModule {}
