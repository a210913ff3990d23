import { DetectorClusterMetricsModule } from '@detector-cluster/detector-cluster/metrics';
import { MasterElectionMetricsModule } from '@detector-cluster/master-election/metrics';
import { Controller, type DynamicModule, Get, Header, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { z } from 'zod';
import { Operation } from '../openapi/operation.decorator.js';
import { ServiceMetrics } from './service-metrics.js';

const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

@Controller('metrics')
class MetricsController {
  constructor(private readonly registry: Registry) {}

  @Get()
  @Header('Content-Type', CONTENT_TYPE)
  @Operation({
    summary: 'Metrics of this process, its election and its cluster, for Prometheus',
    produces: 'text/plain',
    answer: z.string(),
  })
  metrics(): Promise<string> {
    return this.registry.metrics();
  }
}

/** Metrics of this process, of its election and of its cluster, at `/metrics`. */
@Module({})
export class MetricsModule {
  static forRoot(): DynamicModule {
    // One registry per application: tests start several applications in one process.
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    return {
      module: MetricsModule,
      imports: [
        MasterElectionMetricsModule.register({ registry }),
        DetectorClusterMetricsModule.register({ registry }),
      ],
      controllers: [MetricsController],
      providers: [{ provide: Registry, useValue: registry }, ServiceMetrics],
    };
  }
}
