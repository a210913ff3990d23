export { FencedError, type GuardedCommand } from '@detector-cluster/election/fence';
export { clusterKeys, type ClusterKeys } from './cluster-keys.js';
export { FencedStore } from './fenced-store.js';
