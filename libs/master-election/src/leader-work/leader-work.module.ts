import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { LeaderWorkExplorer } from './leader-work.explorer.js';
import { LeaderWorkOrchestrator } from './leader-work.orchestrator.js';
import { MasterJobRegistry } from './master-job.registry.js';

/** Mounts decorated methods. Static, so that an application has one of it, however many elections it has. */
@Module({
  imports: [DiscoveryModule],
  providers: [LeaderWorkExplorer, LeaderWorkOrchestrator, MasterJobRegistry],
  exports: [MasterJobRegistry],
})
export class LeaderWorkModule {}
