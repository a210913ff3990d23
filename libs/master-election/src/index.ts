export { DuplicateElectionError } from './errors/duplicate-election.error.js';
export { DuplicateNodeIdError } from './errors/duplicate-node-id.error.js';
export { ElectionStoppedError } from './errors/election-stopped.error.js';
export { ElectionTimeoutError } from './errors/election-timeout.error.js';
export { UnknownProcessError } from './errors/unknown-process.error.js';
export { MasterElection } from './master-election.js';
export type { MasterElectionEvents } from './master-election-events.js';
export { MasterElectionModule } from './master-election.module.js';
export type { MasterElectionFeatureAsyncOptions } from './named/master-election-feature-async-options.js';
export type {
  MasterElectionFeatureIdentity,
  MasterElectionFeatureOptions,
} from './named/master-election-feature-options.js';
export { DEFAULT_ELECTION_NAME } from './named/default-election-name.js';
export { getMasterElectionToken } from './named/get-master-election-token.js';
export { InjectMasterElection } from './named/inject-master-election.decorator.js';
export type { ProcessCapabilities } from './model/process-capabilities.js';
export type { ProcessInfo, ProcessRole, RegisteredProcess } from './model/process-info.js';
export type { SlaveNode } from './model/slave-node.js';
export { InvalidOptionsError } from './options/invalid-options.error.js';
export type {
  MasterElectionOptions,
  MasterElectionOptionsFactory,
  ResolvedMasterElectionOptions,
} from './options/master-election-options.js';
export { resolveOptions } from './options/resolve-options.js';
