import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Operation } from '../openapi/operation.decorator.js';
import { type Liveness, livenessSchema, type Readiness, readinessSchema } from './health.schema.js';
import { ReadinessService } from './readiness.service.js';

@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  @Get('live')
  @Operation({ summary: 'Whether the process runs', isPublic: true, answer: livenessSchema })
  live(): Liveness {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({
    summary: 'Whether the process can do its work',
    isPublic: true,
    sameSchemaOn: [503],
    answer: readinessSchema,
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const readiness = await this.readiness.check();
    if (readiness.status !== 'ok') response.status(503);
    return readiness;
  }
}
