export { boundedCall } from './bounded-call.js';
export { sourceProblem, slotSource } from './cluster/slot-source.js';
export { listenerCount } from './subscription/listener-count.js';
export { keepSubscribed } from './subscription/keep-subscribed.js';
export { SharedSubscriber } from './subscription/shared-subscriber.js';
export {
  blockingSettings,
  closeRedis,
  commandSettings,
  COMMAND_TIMEOUT,
  openRedis,
  reconnectDelay,
} from './redis-connection.js';
export { hashPages, readHash } from './read-hash.js';
export { RedisScript } from './redis-script.js';
export {
  channelPrefix,
  databaseOf,
  isCluster,
  type DirectRedisSource,
  type RedisClusterSource,
  type RedisSource,
} from './redis-source.js';
export { ServerAge } from './server-age.js';
export { StoreError } from './errors/store.error.js';
export { toStoreError } from './errors/to-store-error.js';
export { watchSilence } from './subscription/watch-silence.js';
export { StoreUnreachableError } from './errors/store-unreachable.error.js';
export { whenReady } from './when-ready.js';
