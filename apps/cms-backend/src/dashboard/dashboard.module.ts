import { Module } from '@nestjs/common';
import { DetectionsModule } from '../detections/detections.module.js';
import { HttpModule } from '../http/http.module.js';
import { DashboardMetrics } from './dashboard-metrics.js';
import { DashboardFeed } from './feed/dashboard-feed.js';
import { MasterWatch } from './feed/master-watch.js';
import { FigureReporter } from './history/figure-reporter.js';
import { HistoryController } from './history/history.controller.js';
import { MasterHistory } from './history/master-history.js';
import { DashboardGateway } from './pages/dashboard.gateway.js';
import { PageAdmission } from './pages/page-admission.js';
import { ProcessPulse } from './pulse/process-pulse.js';

/**
 * What feeds the dashboard's page. `files/` serves it; `pages/` lets it connect; `feed/` tells it how the cluster is, once a
 * tick, put together from `cluster/` (what the master wrote into Redis) and `pulse/` (what each process says of itself). `history/`
 * records the figures of its charts. It belongs to the page, not to the library: only the page needs figures that outlive a process, and the
 * library gives them to Prometheus.
 * What is said is defined in `@detector-cluster/dashboard-protocol`.
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
