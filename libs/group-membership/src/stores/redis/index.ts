export { RedisLeaderStore, type RedisLeaderStoreOptions } from './redis-leader-store.js';
