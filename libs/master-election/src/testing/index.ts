export {
  FakeMasterElection,
  type FakeMasterElectionOptions,
  MasterElectionTestingModule,
} from './fake-master-election.js';
export type { FakeProcess } from './fake-cluster.js';
