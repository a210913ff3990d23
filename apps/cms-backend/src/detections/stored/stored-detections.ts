import { MasterElection } from '@detector-cluster/master-election';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Counter, Gauge, Registry } from 'prom-client';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { PRISMA } from '../../database/prisma-client.js';
import type { PrismaClient } from '../../generated/prisma/client.js';
import type { ReceivedDetection } from '../recent-detections.js';
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

  /** Null: the option is off. */
  stats(): StoredDetectionStats | null {
    return this.store?.stats() ?? null;
  }
}

/** Metrics of the stored detections, while the option is on. */
@Injectable()
export class StoredDetectionMetrics implements OnModuleInit {
  constructor(
    private readonly stored: StoredDetections,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    const { stored } = this;
    const registry = this.modules.get(Registry, { strict: false });
    registry.registerMetric(
      new Counter({
        name: 'cms_backend_stored_detections_total',
        help: 'Detections that this process wrote to the database, or could not keep, by result',
        labelNames: ['result'],
        registers: [],
        collect() {
          this.reset();
          const stats = stored.stats();
          if (stats === null) return;
          this.inc({ result: 'stored' }, stats.stored);
          this.inc({ result: 'dropped' }, stats.dropped);
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'cms_backend_stored_detections_waiting',
        help: 'Detections that wait in this process for the database',
        registers: [],
        collect() {
          this.set(stored.stats()?.waiting ?? 0);
        },
      }),
    );
  }
}
