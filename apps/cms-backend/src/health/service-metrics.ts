import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Counter, Gauge, Registry } from 'prom-client';
import { DashboardFeed } from '../dashboard/feed/dashboard-feed.js';
import { StoredDetections } from '../detections/stored-detections.js';

/** Metrics of this service beside those of the libraries. */
@Injectable()
export class ServiceMetrics implements OnModuleInit {
  constructor(
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    const feed = this.modules.get(DashboardFeed, { strict: false });
    const { store, pictures } = this.modules.get(StoredDetections, { strict: false });
    this.gauge(
      'cms_backend_dashboard_pages',
      'Pages of the dashboard that this process feeds',
      () => feed.pages,
    );
    this.counter(
      'cms_backend_dashboard_ignored_pulses_total',
      'Messages between processes for the dashboard that could not be read',
      (metric) => metric.inc(feed.ignoredPulses),
    );
    this.counter(
      'cms_backend_stored_detections_total',
      'Detections that this process wrote to the database, or could not keep, by result',
      (metric) => {
        if (store === null) return;
        const stats = store.stats();
        metric.inc({ result: 'stored' }, stats.stored);
        metric.inc({ result: 'dropped' }, stats.dropped);
      },
    );
    this.counter(
      'cms_backend_detection_pictures_total',
      'Pictures of stored detections that this process kept, or missed, by result',
      (metric) => {
        for (const [result, count] of Object.entries(pictures?.stats() ?? {})) metric.inc({ result }, count);
      },
    );
    this.gauge(
      'cms_backend_stored_detections_waiting',
      'Detections that wait in this process for the database',
      () => store?.stats().waiting ?? 0,
    );
  }

  private gauge(name: string, help: string, read: () => number): void {
    const collect = (): void => metric.set(read());
    const metric = new Gauge({ name, help, registers: [], collect });
    this.registry.registerMetric(metric);
  }

  private counter(name: string, help: string, read: (metric: Counter<'result'>) => void): void {
    const collect = (): void => {
      metric.reset();
      read(metric);
    };
    const metric = new Counter({ name, help, labelNames: ['result'], registers: [], collect });
    this.registry.registerMetric(metric);
  }
}
