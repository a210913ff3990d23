export type { FakeMasterElectionOptions } from './fake-master-election-options.js';
export { FakeMasterElection } from './fake-master-election.js';
export type { FakeProcess } from './fake-process.js';
export { MasterElectionTestingModule } from './master-election-testing.module.js';
