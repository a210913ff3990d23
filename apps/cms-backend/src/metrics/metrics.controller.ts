import { Controller, Get, Header, SerializeOptions } from '@nestjs/common';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { Operation } from '../openapi/operation.decorator.js';

const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

@Controller('metrics')
export class MetricsController {
  constructor(private readonly registry: Registry) {}

  @Get()
  @Header('Content-Type', CONTENT_TYPE)
  @Operation({
    summary: 'Metrics of this process, its election and its cluster, for Prometheus',
    produces: 'text/plain',
  })
  @SerializeOptions({ schema: z.string() })
  metrics(): Promise<string> {
    return this.registry.metrics();
  }
}
