import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Counter, Gauge, Registry } from 'prom-client';
import { DetectionsModule } from '../detections/detections.module.js';
import { HttpModule } from '../http/http.module.js';
import { DashboardFeed } from './feed/dashboard-feed.js';
import { MasterWatch } from './feed/master-watch.js';
import { FigureReporter } from './history/figure-reporter.js';
import { HistoryController } from './history/history.controller.js';
import { MasterHistory } from './history/master-history.js';
import { DashboardGateway } from './dashboard.gateway.js';
import { PageAdmission } from './page-admission.js';
import { ProcessPulse } from './pulse/process-pulse.js';

/** Metrics of the dashboard. */
@Injectable()
class DashboardMetrics implements OnModuleInit {
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

/**
 * The server of the dashboard's page. `pages/` serves the page and lets it connect. `feed/` sends the state of the cluster once per
 * tick. It combines the records of the master in Redis with `pulse/`, the reports of each process about itself. `history/` records the
 * figures of the charts. The history belongs to the page and not to the library, because only the page needs figures that outlive a
 * process; the library gives them to Prometheus. `@detector-cluster/dashboard-protocol` defines the messages.
 */
@Module({
  imports: [DetectionsModule, HttpModule],
  controllers: [HistoryController],
  providers: [
    DashboardMetrics,
    ProcessPulse,
    MasterWatch,
    DashboardFeed,
    PageAdmission,
    DashboardGateway,
    FigureReporter,
    MasterHistory,
  ],
})
export class DashboardModule {}
