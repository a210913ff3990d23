import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Registry, Counter, Gauge } from 'prom-client';
import { StoredDetections } from './stored-detections.js';

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
      new Counter({
        name: 'cms_backend_detection_pictures_total',
        help: 'Pictures of stored detections that this process kept, or missed, by result',
        labelNames: ['result'],
        registers: [],
        collect() {
          this.reset();
          for (const [result, count] of Object.entries(stored.pictures?.stats() ?? {}))
            this.inc({ result }, count);
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
