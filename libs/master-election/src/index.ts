export { DuplicateElectionError } from './errors/duplicate-election.error.js';
export { DuplicateNodeIdError } from './errors/duplicate-node-id.error.js';
export { ElectionNotStartedError } from './errors/election-not-started.error.js';
export { ElectionStoppedError } from './errors/election-stopped.error.js';
export { ElectionTimeoutError } from './errors/election-timeout.error.js';
export { UnknownProcessError } from './errors/unknown-process.error.js';
export type { LeaderWorkOptions } from './decorators/leader-work-options.js';
export type { MasterCronOptions } from './decorators/master-cron-options.js';
export { MasterCron } from './decorators/master-cron.decorator.js';
export { MasterInterval } from './decorators/master-interval.decorator.js';
export { MasterOnly } from './decorators/master-only.decorator.js';
export { MasterTimeout } from './decorators/master-timeout.decorator.js';
export type { MasterJobOptions, MasterTimeoutOptions } from './decorators/master-job-options.js';
export { OnMasterAcquired } from './decorators/on-master-acquired.decorator.js';
export { OnMasterLost } from './decorators/on-master-lost.decorator.js';
export { OnMasterResumed } from './decorators/on-master-resumed.decorator.js';
export { OnMasterSuspended } from './decorators/on-master-suspended.decorator.js';
export { OnSlaveRegistered } from './decorators/on-slave-registered.decorator.js';
export { OnSlaveRemoved } from './decorators/on-slave-removed.decorator.js';
export { InvalidLeaderWorkError } from './leader-work/invalid-leader-work.error.js';
export { LeaderWorkError } from './leader-work/leader-work.error.js';
export type { MasterJobStatus } from './leader-work/master-job-status.js';
export { MasterJobRegistry, type JobFunction } from './leader-work/master-job.registry.js';
export { UnknownJobError } from './leader-work/unknown-job.error.js';
export { MasterElection } from './master-election.js';
export type { MasterElectionEvents } from './master-election-events.js';
export { MasterElectionModule } from './master-election.module.js';
export { MASTER_ELECTION_OPTIONS, RESOLVED_MASTER_ELECTION_OPTIONS } from './master-election.tokens.js';
export type { MasterElectionFeatureAsyncOptions } from './named/feature/master-election-feature-async-options.js';
export type {
  MasterElectionFeatureIdentity,
  MasterElectionFeatureOptions,
} from './named/feature/master-election-feature-options.js';
export { DEFAULT_ELECTION_NAME } from './named/default-election-name.js';
export { getMasterElectionOptionsToken, getMasterElectionToken } from './named/get-master-election-token.js';
export { InjectMasterElection } from './named/inject-master-election.decorator.js';
export { NotMasterException, type NotMasterProblem } from './master-only/not-master.exception.js';
export type { ProcessCapabilities } from './model/process-capabilities.js';
export type { ProcessInfo, ProcessRole, RegisteredProcess } from './model/process-info.js';
export type { SlaveNode } from './model/slave-node.js';
export { OnceTimeoutError } from './once/once-timeout.error.js';
export type { RunOnceOptions } from './once/run-once-options.js';
export { DEFAULT_LOCK_NAME } from './options/default-lock-name.js';
export { InvalidOptionsError } from './options/invalid-options.error.js';
export type {
  MasterElectionOptions,
  MasterElectionOptionsFactory,
  ResolvedMasterElectionOptions,
} from './options/master-election-options.js';
export { resolveOptions } from './options/resolve-options.js';
export { JobRunningError } from './schedule/job-running.error.js';
export { JobTimeoutError } from './schedule/job-timeout.error.js';
export type { MasterTick } from './schedule/master-tick.js';
export { getMasterElection, initialize } from './standalone.js';
export type { MasterElectionStatus } from './status/master-election-status.js';
