import { DetectorCluster, type WorkerStanding } from '@detector-cluster/detector-cluster';
import { Body, Controller, HttpCode, Post, SerializeOptions, UseGuards } from '@nestjs/common';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../redis/redis.guard.js';
import {
  updateWorkerSchema,
  workerStandingSchema,
  type UpdateWorker,
  type WorkerStandingView,
} from './worker.schema.js';

const PROBLEMS = [400, 404, 413, 415, 422];

/** What operators do with workers. */
@Controller('api/cluster/workers')
@UseGuards(RedisGuard)
export class WorkersController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Post('drain')
  @HttpCode(200)
  @Operation({ summary: 'Drain a worker: its subscriptions move to other workers', problems: PROBLEMS })
  @SerializeOptions({ schema: workerStandingSchema })
  drain(@Body({ schema: updateWorkerSchema }) { url }: UpdateWorker): Promise<WorkerStandingView> {
    return this.set(url, 'draining');
  }

  @Post('cordon')
  @HttpCode(200)
  @Operation({ summary: 'Cordon a worker: it gets no new subscriptions; a drain stops', problems: PROBLEMS })
  @SerializeOptions({ schema: workerStandingSchema })
  cordon(@Body({ schema: updateWorkerSchema }) { url }: UpdateWorker): Promise<WorkerStandingView> {
    return this.set(url, 'cordoned');
  }

  @Post('uncordon')
  @HttpCode(200)
  @Operation({ summary: 'Uncordon a worker: it accepts new subscriptions', problems: PROBLEMS })
  @SerializeOptions({ schema: workerStandingSchema })
  uncordon(@Body({ schema: updateWorkerSchema }) { url }: UpdateWorker): Promise<WorkerStandingView> {
    return this.set(url, 'open');
  }

  private async set(url: string, standing: WorkerStanding): Promise<WorkerStandingView> {
    return { accepted: true, ...(await this.cluster.setWorkerStanding(url, standing)) };
  }
}
