import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { LeaderWorkExplorer } from './leader-work.explorer.js';
import { LeaderWorkOrchestrator } from './leader-work.orchestrator.js';
import { MasterJobRegistry } from './master-job.registry.js';
import { SchedulerModule } from './scheduler.module.js';
import { WorkFailures } from './work-failures.js';

/** Mounts decorated methods. Static, so that an application has one instance for all of its elections. */
@Module({
  imports: [DiscoveryModule, SchedulerModule],
  providers: [LeaderWorkExplorer, LeaderWorkOrchestrator, MasterJobRegistry, WorkFailures],
  exports: [MasterJobRegistry, SchedulerModule],
})
export class LeaderWorkModule {}
