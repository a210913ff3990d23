/**
 * An election that a test controls, virtual time, and the tests that every backend must pass.
 *
 * @example
 * ```ts
 * import { FakeElection } from '@detector-cluster/election/testing';
 *
 * const election = new FakeElection();
 * await election.lead(); // the candidate leads, in a new term
 * await election.follow('pod-2'); // another one leads, in the next term
 * ```
 * @packageDocumentation
 */
export { checkHistory, type Grant, type GuardedWrite } from './check-history.js';
export { describeElectionBackend } from './describe-election-backend.js';
export type { ElectionHarness, TestRunner } from './election-harness.js';
export { eventually } from './eventually.js';
export { FakeElection } from './fake-election.js';
export { type CandidateEvent, checkCandidateLog, grantsOfLog } from './check-candidate-log.js';
export { VirtualClock } from './virtual-clock.js';
