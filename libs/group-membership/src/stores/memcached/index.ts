export { MemcachedLeaderStore, type MemcachedLeaderStoreOptions } from './memcached-leader-store.js';
