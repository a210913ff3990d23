/**
 * The Nest module, `MasterElection`, the decorators of work for the master, and the registry of processes.
 *
 * @example
 * ```ts
 * import { MasterElectionModule, OnMasterAcquired } from '@detector-cluster/master-election';
 * import { Injectable, Module } from '@nestjs/common';
 *
 * @Injectable()
 * class Reports {
 *   @OnMasterAcquired()
 *   begin() {
 *     console.log('this process is the master');
 *   }
 * }
 *
 * @Module({
 *   imports: [MasterElectionModule.forRoot({ redis: 'redis://localhost:6379' })],
 *   providers: [Reports],
 * })
 * export class AppModule {}
 * ```
 * @packageDocumentation
 */
export {
  DuplicateElectionError,
  DuplicateNodeIdError,
  ElectionNotStartedError,
  ElectionStoppedError,
  ElectionTimeoutError,
  FormatLevelError,
  UnknownProcessError,
} from './shared/errors.js';
export type {
  LeaderWorkOptions,
  MasterCronOptions,
  MasterJobOptions,
  MasterTimeoutOptions,
} from './leader-work/leader-work.js';
export {
  MasterCron,
  MasterInterval,
  MasterTimeout,
  OnMasterAcquired,
  OnMasterLost,
  OnMasterResumed,
  OnMasterSuspended,
  OnSlaveRegistered,
  OnSlaveRemoved,
} from './leader-work/leader-work.decorators.js';
export { MasterOnly } from './master-only.guard.js';
export { LeaderWorkError, UnknownJobError } from './leader-work/leader-work.errors.js';
export type { MasterJobStatus } from './leader-work/master-job.js';
export { MasterJobRegistry, type JobFunction } from './leader-work/master-job.registry.js';
export { MasterElection } from './election/master-election.js';
export type { MasterElectionEvents } from './shared/master-election-events.js';
export { MasterElectionModule } from './master-election.module.js';
export {
  MASTER_ELECTION_OPTIONS,
  RESOLVED_MASTER_ELECTION_OPTIONS,
} from './shared/master-election.tokens.js';
export type {
  MasterElectionFeatureAsyncOptions,
  MasterElectionFeatureOptions,
} from './leader-work/resolve-feature-options.js';
export { DEFAULT_LOCK_NAME, InvalidOptionsError } from './shared/resolve-options.js';
export {
  getMasterElectionOptionsToken,
  getMasterElectionToken,
  InjectMasterElection,
} from './election/get-master-election-token.js';
export { NotMasterException } from './shared/not-master.exception.js';
export type {
  ProcessCapabilities,
  ProcessInfo,
  RegisteredProcess,
  SlaveNode,
} from './shared/process-info.js';
export { OnceTimeoutError, type RunOnceOptions } from './election/once-call.js';
export type {
  MasterElectionOptions,
  MasterElectionOptionsFactory,
  ResolvedMasterElectionOptions,
} from './shared/master-election-options.js';
export { JobRunningError, JobTimeoutError, type MasterTick } from './schedule/job-progress.js';
export { getMasterElection, initialize } from './standalone.js';
export type { MasterElectionStatus } from './participant/status-tracker.js';
