import { MasterElection } from '@detector-cluster/master-election';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../stores/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { problems } from '../http/problems.js';
import type { ReceivedDetection } from './recent-detections.js';
import { DetectionStore, type StoredDetectionStats } from './detection-store.js';
import { DetectionSweeper } from './detection-sweeper.js';

/** Keeps detections in the database while the option is on, within its limits. */
@Injectable()
export class StoredDetections implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly store: DetectionStore | null = null;
  private readonly sweeper: DetectionSweeper | null = null;

  constructor(
    @Inject(APP_CONFIG) { detectionHistory: limits }: AppConfig,
    @Inject(PRISMA) prisma: PrismaClient,
    election: MasterElection,
  ) {
    if (limits === null) return;
    this.store = new DetectionStore(prisma, election.getNodeId());
    this.sweeper = new DetectionSweeper({ prisma, election, limits });
  }

  onApplicationBootstrap(): void {
    this.sweeper?.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.store?.close(), this.sweeper?.stop()]);
  }

  /** Never waits and never throws: delivery does not depend on it. */
  add(detection: ReceivedDetection): void {
    this.store?.add(detection);
  }

  /** @throws 404 if the option is off */
  requireHistory(): void {
    if (this.store === null)
      throw problems.notFound('this service keeps no detections: set DETECTION_HISTORY=true');
  }

  /** Null: the option is off. */
  stats(): StoredDetectionStats | null {
    return this.store?.stats() ?? null;
  }
}
