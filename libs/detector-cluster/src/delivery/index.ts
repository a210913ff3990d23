export { ChannelConsumer } from './channel/channel-consumer.js';
export { DetectionConsumer, type ConsumerDependencies } from './consumer/detection-consumer.js';
export type { ConsumerEvent } from './consumer/consumer-event.js';
export { consumerDefaults, type ConsumerOptions } from './consumer/consumer-options.js';
export type { ConsumerStats } from './consumer/consumer-stats.js';
export { CallbackTimeoutError } from './consumer/run-callbacks.js';
export type { DeadLetter } from './dead-letters/dead-letter.js';
export {
  DeadLetters,
  type DeadLetterPage,
  type DropResult,
  type ReplayResult,
} from './dead-letters/dead-letters.js';
export { DetectionListeners, type RemoveListener } from './detection-listeners.js';
export { DetectionRouter, type RouterDependencies } from './router/detection-router.js';
export { InterestRegistry, type InterestRegistryDependencies } from './interest/interest-registry.js';
export type { RoutedDetection } from './router/routed-detection.js';
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
export type { RouterEvent } from './router/router-event.js';
export { RouterCounters } from './router/router-counters.js';
export { routerDefaults, type RouterOptions } from './router/router-options.js';
export type { ProcessBacklog, RouterStats } from './router/router-stats.js';
export { deliveryStats, type DeliveryStats } from './stats/delivery-stats.js';
