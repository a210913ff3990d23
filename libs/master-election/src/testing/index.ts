/**
 * An election without a server, for tests of an application.
 *
 * @example
 * ```ts
 * import { FakeMasterElection } from '@detector-cluster/master-election/testing';
 *
 * const election = new FakeMasterElection();
 * const lease = await election.becomeMaster();
 * console.log(lease.isValid());
 * ```
 * @packageDocumentation
 */
export { FakeMasterElection, type FakeMasterElectionOptions } from './fake-master-election.js';
export { MasterElectionTestingModule } from './master-election-testing.module.js';
export type { FakeProcess } from './fake-cluster.js';
