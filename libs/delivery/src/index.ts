/**
 * Delivers detections at least once and in order: a log in Redis, partitioned by subscription, with one owner for each partition.
 *
 * @example
 * ```ts
 * import { DetectionListeners } from '@detector-cluster/delivery';
 *
 * const listeners = new DetectionListeners();
 * listeners.addGlobal((detection, { detectionId }) => console.log(detectionId, detection.data));
 * ```
 * @packageDocumentation
 */
export { type DeadLetter } from './dead-letters/dead-letter.js';
export { type DeliveryStats, deliveryStats } from './delivery-stats.js';
export { DetectionListeners } from './interest/detection-listeners.js';
export { InterestRegistry, type InterestRegistryDependencies } from './interest/interest-registry.js';
export { deliveryKeys, type DeliveryKeys } from './log/delivery-keys.js';
export type { Detection, DetectionCallback, DetectionMeta, ImageDetectionResponse } from './log/detection.js';
export type { ReceivedDetection } from './log/detection-message.js';
export type { LogConnection } from './log/log-connection.js';
export { consumerDefaults, type ConsumerEvent, type ConsumerOptions } from './receive/consumer-context.js';
export type { ConsumerStats } from './receive/consumer-stats.js';
export { type ConsumerDependencies, DetectionConsumer } from './receive/detection-consumer.js';
export {
  type DeliveryConnections,
  generalLogConnection,
  redisConsumerStores,
  redisRouterStores,
} from './redis-stores.js';
export { DetectionRouter, type RouterDependencies } from './send/detection-router.js';
export { routerDefaults, type RouterEvent, type RouterOptions } from './send/router-context.js';
export { type RouterStats } from './send/router-stats.js';
export { RouterCounters } from './send/router-counters.js';
