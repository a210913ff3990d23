export { CallbackTimeoutError } from './receive/run-callbacks.js';
export { consumerDefaults, type ConsumerOptions } from './receive/consumer-options.js';
export type { ConsumerEvent } from './receive/consumer-event.js';
export type { ConsumerStats } from './receive/consumer-stats.js';
export { DetectionConsumer, type ConsumerDependencies } from './receive/detection-consumer.js';
export { DetectionListeners } from './detection-listeners.js';
export { DetectionRouter, type RouterDependencies } from './send/detection-router.js';
export { deliveryStats, type DeliveryStats } from './delivery-stats.js';
export {
  DeadLetters,
  type DeadLetterPage,
  type DropResult,
  type ReplayResult,
} from './dead-letters/dead-letters.js';
export type { DeadLetter } from './dead-letters/dead-letter.js';
export { InterestRegistry, type InterestRegistryDependencies } from './interest/interest-registry.js';
export { LetterStore } from './dead-letters/letter-store.js';
export type { LogConnection } from './log/log-connection.js';
export { partitionOf } from './log/partition-of.js';
export type { ReceivedDetection } from './log/detection-message.js';
export {
  generalLogConnection,
  redisConsumerStores,
  redisRouterStores,
  type DeliveryConnections,
} from './redis-stores.js';
export { RouterCounters } from './send/router-counters.js';
export type { RouterEvent } from './send/router-event.js';
export { routerDefaults, type RouterOptions } from './send/router-options.js';
export type { LogBacklog, RouterStats } from './send/router-stats.js';
export type {
  DetectionTracer,
  ProcessOutcome,
  ProcessTrace,
  ReceiveTrace,
  SendOutcome,
  SendTrace,
  TracedEntry,
  TracedFrame,
} from './tracing/detection-tracer.js';
export type { TraceFields } from './tracing/trace-fields.js';
export { TracerSlot } from './tracing/tracer-slot.js';
