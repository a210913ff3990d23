import {
  DetectorCluster,
  DetectorClusterModule,
  type ModelUrlProvider,
} from '@detector-cluster/detector-cluster';
import { MasterElectionModule } from '@detector-cluster/master-election';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../stores/prisma-client.js';
import { RegenerationTrigger } from '../stores/regeneration-trigger.js';
import { DetectionsModule } from '../detections/detections.module.js';
import { RecentDetections } from '../detections/recent-detections.js';
import { StoredDetections } from '../detections/stored-detections.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { MODEL_URLS, ModelUrlsModule } from '../entries/model-urls.module.js';
import { SessionsController } from './sessions.controller.js';
import { CameraImageController } from './camera-image.controller.js';
import { ClusterController } from './cluster.controller.js';
import { MasterController } from './master.controller.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { ExportController } from './export.controller.js';
import { EventsController } from './events.controller.js';
import { ModelVersionsController } from './model-versions.controller.js';
import { WorkersController } from './workers.controller.js';

/**
 * Keeps every detection that reaches this process for `/api/detections`, and stores it in the database if that is on. It is the
 * callback of the service itself. A process with a callback may own partitions. Pages of the dashboard read the kept detections, so
 * that no partition changes its owner when a page opens or closes.
 */
@Injectable()
class DetectionRecorder implements OnModuleInit {
  constructor(
    private readonly cluster: DetectorCluster,
    private readonly recent: RecentDetections,
    private readonly stored: StoredDetections,
  ) {}

  onModuleInit(): void {
    this.cluster.addGlobalDetectionListener((detection, { detectionId, workerUrl, redelivered }) => {
      const received = {
        detectionId,
        subscriptionIdentifier: detection.subscriptionIdentifier,
        workerUrl,
        timestamp: detection.timestamp.toISOString(),
        receivedAt: new Date().toISOString(),
        redelivered,
        data: detection.data,
      };
      this.recent.add(received);
      this.stored.store?.add(received);
    });
  }
}

/** Election and detector cluster, configured from the environment. */
@Module({
  imports: [
    DetectionsModule,
    MasterElectionModule.forRootAsync({
      isGlobal: true,
      inject: [APP_CONFIG],
      useFactory: ({ election, redis }: AppConfig) => ({ ...election, redis }),
    }),
    DetectorClusterModule.forRootAsync({
      imports: [ModelUrlsModule],
      inject: [APP_CONFIG, PRISMA, RegenerationTrigger, MODEL_URLS],
      useFactory: (
        { cluster, redis }: AppConfig,
        prisma: PrismaClient,
        trigger: RegenerationTrigger,
        modelUrl: ModelUrlProvider,
      ) => ({
        ...cluster,
        redis,
        prisma,
        trigger,
        modelUrl,
      }),
    }),
  ],
  controllers: [
    ClusterController,
    MasterController,
    ModelVersionsController,
    WorkersController,
    CameraImageController,
    EventsController,
    ExportController,
    DeadLettersController,
    SessionsController,
  ],
  providers: [DetectionRecorder],
})
export class ClusterModule {}
