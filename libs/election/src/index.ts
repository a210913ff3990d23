/**
 * `Elector`, the contract of backends, and their errors.
 *
 * @example
 * ```ts
 * import { Elector } from '@detector-cluster/election';
 * import { RedisElectionBackend } from '@detector-cluster/election/redis';
 *
 * const backend = new RedisElectionBackend({ redis: 'redis://localhost:6379', lockName: 'reports' });
 * const elector = new Elector({ backend, candidate: { id: 'pod-1' } });
 * elector.start();
 * if (elector.lease?.isValid()) console.log(`acting in term ${elector.lease.term}`);
 * await elector.stop();
 * ```
 * @packageDocumentation
 */
export type {
  AcquisitionReason,
  Candidate,
  ElectionBackend,
  ElectionState,
  LossReason,
} from './contract/election-backend.js';
export type { ElectionControl, LeaderView } from './contract/election-control.js';
export {
  DuplicateCandidateError,
  ElectionProtocolError,
  ElectorGaveUpError,
  HandoverTimeoutError,
  LeadershipLostError,
  StoreRestartedError,
  UnreadableLeaseError,
} from './contract/errors.js';
export type { Lease } from './contract/lease.js';
export { Elector } from './elector/elector.js';
export type { ElectorEvents, ElectorOptions } from './elector/elector-options.js';
export type { ElectorHandlers } from './elector/elector-handlers.js';
export { systemClock, type Clock, type TimerHandle } from './util/clock.js';
