import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { MasterElectionHealthIndicator } from './master-election.health-indicator.js';

/** Provides {@link MasterElectionHealthIndicator}. */
@Module({
  imports: [TerminusModule],
  providers: [MasterElectionHealthIndicator],
  exports: [MasterElectionHealthIndicator],
})
export class MasterElectionHealthModule {}
