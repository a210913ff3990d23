import { DetectorClusterHealthModule } from '@detector-cluster/detector-cluster/health';
import { MasterElectionHealthModule } from '@detector-cluster/master-election/health';
import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [MasterElectionHealthModule, DetectorClusterHealthModule],
  controllers: [HealthController],
  providers: [ReadinessService],
})
export class HealthModule {}
