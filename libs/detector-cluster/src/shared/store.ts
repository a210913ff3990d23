/**
 * The keys of a cluster in Redis, and writes that Redis refuses once a later term has begun.
 *
 * @example
 * ```ts
 * import { clusterKeys, FencedStore } from '@detector-cluster/detector-cluster/store';
 * import { Redis } from 'ioredis';
 *
 * const keys = clusterKeys('');
 * const store = new FencedStore(new Redis(), keys.fence, 7); // of the master's term
 * await store.write([['HSET', 'my-hash', 'field', 'value']]);
 * ```
 * @packageDocumentation
 */
export { clusterKeys, type ClusterKeys, defaultKeyPrefix } from './cluster-keys.js';
export { FencedStore } from '@detector-cluster/election/fence';
