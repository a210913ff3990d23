export { checkHistory, type Grant, type GuardedWrite } from './check-history.js';
export { describeElectionBackend } from './describe-election-backend.js';
export type { ElectionHarness, TestRunner } from './election-harness.js';
export { eventually } from './eventually.js';
export { FakeElection } from './fake-election.js';
export { type CandidateEvent, checkCandidateLog, grantsOfLog } from './check-candidate-log.js';
export { VirtualClock } from './virtual-clock.js';
