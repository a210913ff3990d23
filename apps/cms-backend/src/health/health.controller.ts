import { Controller, Get, Res, SerializeOptions } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../http/public.decorator.js';
import { Operation } from '../openapi/operation.decorator.js';
import { type Liveness, livenessSchema, type Readiness, readinessSchema } from './health.schema.js';
import { ReadinessService } from './readiness.service.js';

@Controller('health')
@Public(true)
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  @Get('live')
  @Operation({ summary: 'Whether the process runs' })
  @SerializeOptions({ schema: livenessSchema })
  live(): Liveness {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({ summary: 'Whether the process can do its work', sameSchemaOn: [503] })
  @SerializeOptions({ schema: readinessSchema })
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const readiness = await this.readiness.check();
    if (readiness.status !== 'ok') response.status(503);
    return readiness;
  }
}
