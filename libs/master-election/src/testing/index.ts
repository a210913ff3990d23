export { type FakeMasterElectionOptions, MasterElectionTestingModule } from './master-election-testing.module.js';
export { FakeMasterElection } from './fake-master-election.js';
export type { FakeProcess } from './fake-cluster.js';
