import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DetectorClusterHealthIndicator } from './detector-cluster.health-indicator.js';

/** Provides {@link DetectorClusterHealthIndicator}. */
@Module({
  imports: [TerminusModule],
  providers: [DetectorClusterHealthIndicator],
  exports: [DetectorClusterHealthIndicator],
})
export class DetectorClusterHealthModule {}
