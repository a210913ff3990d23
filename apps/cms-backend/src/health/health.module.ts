import { DetectorClusterHealthModule } from '@detector-cluster/detector-cluster/health';
import { MasterElectionHealthModule } from '@detector-cluster/master-election/health';
import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';

@Module({
  imports: [MasterElectionHealthModule, DetectorClusterHealthModule],
  controllers: [HealthController],
})
export class HealthModule {}
