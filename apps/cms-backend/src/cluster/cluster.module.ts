import { DetectorClusterModule, type ModelUrlProvider } from '@detector-cluster/detector-cluster';
import { MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../database/prisma-client.js';
import { RegenerationTrigger } from '../database/regeneration-trigger.js';
import { DetectionsModule } from '../detections/detections.module.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { ModelsModule } from '../models/models.module.js';
import { MODEL_URLS } from '../models/model-urls.js';
import { redisSource } from '../redis/redis-source.js';
import { CameraImageController } from './camera-image.controller.js';
import { ClusterController } from './cluster.controller.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DetectionRecorder } from './detection-recorder.js';
import { EventsController } from './events.controller.js';
import { MasterController } from './master.controller.js';
import { WorkersController } from './workers.controller.js';

/** Election and detector cluster, configured from the environment. */
@Module({
  imports: [
    DetectionsModule,
    MasterElectionModule.forRootAsync({
      isGlobal: true,
      inject: [APP_CONFIG],
      useFactory: ({ election, redis }: AppConfig) => ({
        redis: redisSource(redis),
        lockName: election.lockName,
        timing: election.timing,
        ...(election.identifier !== null && { identifier: election.identifier }),
      }),
    }),
    DetectorClusterModule.forRootAsync({
      imports: [ModelsModule],
      inject: [APP_CONFIG, PRISMA, RegenerationTrigger, MODEL_URLS],
      useFactory: (
        { cluster, databaseUrl, redis }: AppConfig,
        prisma: PrismaClient,
        trigger: RegenerationTrigger,
        modelUrl: ModelUrlProvider,
      ) => ({
        redis: redisSource(redis),
        keyPrefix: cluster.keyPrefix,
        workers: cluster.workers,
        ...(cluster.networks !== null && { networks: cluster.networks }),
        prisma,
        trigger,
        modelUrl,
        partitions: cluster.delivery.partitions,
        overflow: cluster.delivery.overflow,
        ...(cluster.delivery.acceptance !== null && { acceptance: cluster.delivery.acceptance }),
        ...(cluster.secret !== null && { secret: [...cluster.secret] }),
        ...(cluster.changeFeed && { changeFeed: { connectionString: databaseUrl } }),
      }),
    }),
  ],
  controllers: [
    ClusterController,
    MasterController,
    WorkersController,
    CameraImageController,
    EventsController,
    DeadLettersController,
  ],
  providers: [DetectionRecorder],
})
export class ClusterModule {}
