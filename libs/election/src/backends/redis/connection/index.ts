export { boundedCall, whenReady } from './bounded-call.js';
export { openCluster } from './cluster/open-cluster.js';
export { sourceProblem, slotSource } from './cluster/slot-source.js';
export {
  channelPrefix,
  databaseOf,
  type DirectRedisSource,
  isCluster,
  listenerCount,
  type RedisClusterSource,
  type RedisSource,
} from './redis-source.js';
export { keepSubscribed, watchSilence } from './subscribe-at-every-dial.js';
export { SharedSubscriber } from './shared-subscriber.js';
export {
  blockingSettings,
  closeRedis,
  commandSettings,
  COMMAND_TIMEOUT,
  openRedis,
  reconnectDelay,
} from './redis-connection.js';
export { isRedisUnavailable } from './is-redis-unavailable.js';
export { hashPages, readHash } from './read-hash.js';
export { RedisScript } from './redis-script.js';
export { ServerAge } from './server-age.js';
export { StoreError, StoreUnreachableError, toStoreError } from './store.error.js';
