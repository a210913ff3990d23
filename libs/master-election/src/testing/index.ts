export { FakeMasterElection, type FakeMasterElectionOptions } from './fake-master-election.js';
export { MasterElectionTestingModule } from './master-election-testing.module.js';
export type { FakeProcess } from './fake-cluster.js';
