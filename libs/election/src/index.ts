export type { Candidate } from './contract/candidate.js';
export type { ElectionBackend } from './contract/election-backend.js';
export type { ElectionControl, LeaderView } from './contract/election-control.js';
export type { ElectionState } from './contract/election-state.js';
export {
  DuplicateCandidateError,
  ElectionProtocolError,
  ElectorGaveUpError,
  HandoverTimeoutError,
  LeadershipLostError,
  StoreRestartedError,
} from './contract/errors.js';
export type { Lease } from './contract/lease.js';
export type { AcquisitionReason, LossReason } from './contract/reasons.js';
export { Elector } from './elector/elector.js';
export type { ElectorEvents } from './elector/elector-events.js';
export type { ElectorHandlers } from './elector/handlers/elector-handlers.js';
export type { ElectorOptions } from './elector/elector-options.js';
export { systemClock, type Clock, type TimerHandle } from './util/clock.js';
export { SafeEmitter, type EventsWithError } from './util/safe-emitter.js';
