export { checkHistory } from './check-history.js';
export { describeElectionBackend } from './describe-election-backend.js';
export type { ElectionHarness } from './election-harness.js';
export type { Grant } from './grant.js';
export type { TestRunner } from './test-runner.js';
export { VirtualClock } from './virtual-clock.js';
