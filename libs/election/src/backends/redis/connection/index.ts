export { boundedCall } from './bounded-call.js';
export { slotProblem, slotSource } from './cluster/slot-source.js';
export { listenerCount } from './listener-count.js';
export { keepSubscribed } from './keep-subscribed.js';
export {
  blockingSettings,
  closeRedis,
  commandSettings,
  COMMAND_TIMEOUT,
  openRedis,
  reconnectDelay,
} from './redis-connection.js';
export { RedisScript } from './redis-script.js';
export {
  isCluster,
  type DirectRedisSource,
  type RedisClusterSource,
  type RedisSource,
} from './redis-source.js';
export { StoreError } from './store-error.js';
export { watchSilence } from './watch-silence.js';
export { StoreUnreachableError, whenReady } from './when-ready.js';
