export { boundedCall } from './bounded-call.js';
export { keepSubscribed } from './keep-subscribed.js';
export {
  blockingSettings,
  closeRedis,
  commandSettings,
  COMMAND_TIMEOUT,
  openRedis,
  reconnectDelay,
  type RedisSource,
} from './redis-connection.js';
export { RedisScript } from './redis-script.js';
export { StoreUnreachableError, whenReady } from './when-ready.js';
