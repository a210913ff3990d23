export { clusterKeys, type ClusterKeys, defaultKeyPrefix } from './cluster-keys.js';
export { FencedStore } from './fenced-store.js';
