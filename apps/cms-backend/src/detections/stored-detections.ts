import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { MasterElection } from '@detector-cluster/master-election';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../stores/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { problems } from '../http/problems.js';
import { DetectionPictures } from './detection-pictures.js';
import { openPictures } from './picture-store.js';
import { DetectionStore } from './detection-store.js';
import { DetectionSweeper } from './detection-sweeper.js';

/** Keeps detections in the database while the option is on, within its limits. */
@Injectable()
export class StoredDetections implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Null: no pictures are kept. */
  readonly pictures: DetectionPictures | null = null;
  /** Null: the option is off. */
  readonly store: DetectionStore | null = null;
  private readonly sweeper: DetectionSweeper | null = null;

  constructor(
    @Inject(APP_CONFIG) { models, detectionHistory: limits }: AppConfig,
    @Inject(PRISMA) prisma: PrismaClient,
    election: MasterElection,
    modules: ModuleRef,
  ) {
    if (limits === null) return;
    if (limits.pictures !== null)
      this.pictures = new DetectionPictures({
        prisma,
        store: openPictures(limits.pictures.place, 'bucket' in models ? models : {}),
        fetch: (identifier, moment) =>
          modules.get(DetectorCluster, { strict: false }).getCameraImage(identifier, moment),
      });
    const { pictures } = this;
    this.store = new DetectionStore(prisma, election.getNodeId(), (rows) => pictures?.want(rows));
    this.sweeper = new DetectionSweeper({ prisma, election, limits, pictures });
  }

  onApplicationBootstrap(): void {
    this.sweeper?.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.pictures?.end();
    await Promise.all([this.store?.close(), this.sweeper?.stop()]);
  }

  /** @throws 404 if the option is off */
  requireHistory(): void {
    if (this.store === null)
      throw problems.notFound('this service keeps no detections: set DETECTION_HISTORY=true');
  }
}
