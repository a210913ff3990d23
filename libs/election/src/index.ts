export type { Candidate } from './contract/candidate.js';
export type { ElectionBackend } from './contract/election-backend.js';
export type { ElectionState } from './contract/election-state.js';
export {
  ElectionProtocolError,
  HandoverTimeoutError,
  LeadershipLostError,
  StoreRestartedError,
} from './contract/errors.js';
export type { Lease } from './contract/lease.js';
export type { AcquisitionReason, LossReason } from './contract/reasons.js';
export { Elector, type ElectorOptions } from './elector/elector.js';
export type { ElectorEvents } from './elector/elector-events.js';
export { systemClock, type Clock, type TimerHandle } from './util/clock.js';
export { SafeEmitter, type EventsWithError } from './util/safe-emitter.js';
