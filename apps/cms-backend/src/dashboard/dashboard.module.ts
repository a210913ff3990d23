import { Module } from '@nestjs/common';
import { DetectionsModule } from '../detections/detections.module.js';
import { HttpModule } from '../http/http.module.js';
import { DashboardFeed } from './feed/dashboard-feed.js';
import { MasterWatch } from './feed/master-watch.js';
import { HistoryController } from './history/history.controller.js';
import { MasterHistory } from './history/master-history.js';
import { DashboardGateway } from './dashboard.gateway.js';
import { ProcessPulse } from './pulse/process-pulse.js';

/**
 * The server of the dashboard's page. The gateway lets it connect. `feed/` sends the state of the cluster once per
 * tick. It combines the records of the master in Redis with `pulse/`, the reports of each process about itself. `history/` records the
 * figures of the charts. The history belongs to the page and not to the library, because only the page needs figures that outlive a
 * process; the library gives them to Prometheus. `@detector-cluster/dashboard-protocol` defines the messages.
 */
@Module({
  imports: [DetectionsModule, HttpModule],
  controllers: [HistoryController],
  providers: [ProcessPulse, MasterWatch, DashboardFeed, DashboardGateway, MasterHistory],
})
export class DashboardModule {}
