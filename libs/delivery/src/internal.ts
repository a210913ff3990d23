export { type LetterPlace, parseLetterId } from './dead-letters/dead-letter.js';
export { LetterStore } from './dead-letters/letter-store.js';
export { deliveryKeyTypes } from './log/delivery-keys.js';
export { MAX_TRACE_FIELD, type TraceFields } from './log/detection-message.js';
export {
  type DetectionTracer,
  type ProcessTrace,
  type ReceiveTrace,
  type SendOutcome,
  type SendTrace,
  type TracedEntry,
  type TracedFrame,
} from './log/detection-tracer.js';
export { TracerSlot } from './log/tracer-slot.js';
export { fsyncProblem } from './log/fsync-problem.js';
export {
  LISTENER_LIFETIME,
  type LogAddress,
  listenerLog,
  logKeyTypes,
  partitionLog,
  partitionLogs,
  partitionOf,
} from './log/log-address.js';
export { openLogConnection } from './log/log-connection.js';
export type { Acceptance } from './log/log-store.js';
export { NotConfirmedError, RedisLogStore } from './log/redis-log-store.js';
export { append } from './log/scripts/scripts.generated.js';
export type { Workloads } from './ownership/plan-ownership.js';
export { runCallbacks } from './receive/entry-handler.js';
export { SettledWatermark } from './send/settled-watermark.js';
export { OWNER_VALIDITY, TAKE_OVER_WAIT } from './receive/held-log.js';
