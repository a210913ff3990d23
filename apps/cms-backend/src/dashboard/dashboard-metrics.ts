import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Counter, Gauge, Registry } from 'prom-client';
import { DashboardFeed } from './feed/dashboard-feed.js';

/** The dashboard in the service's metrics. */
@Injectable()
export class DashboardMetrics implements OnModuleInit {
  constructor(
    private readonly feed: DashboardFeed,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    const { feed } = this;
    const registry = this.modules.get(Registry, { strict: false });
    registry.registerMetric(
      new Gauge({
        name: 'cms_backend_dashboard_pages',
        help: 'Pages of the dashboard that this process feeds',
        registers: [],
        collect() {
          this.set(feed.pages);
        },
      }),
    );
    registry.registerMetric(
      new Counter({
        name: 'cms_backend_dashboard_ignored_pulses_total',
        help: 'Messages between processes for the dashboard that could not be read',
        registers: [],
        collect() {
          this.reset();
          this.inc(feed.ignoredPulses);
        },
      }),
    );
  }
}
