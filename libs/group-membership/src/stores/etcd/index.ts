export { EtcdRefusedError } from './etcd-gateway.js';
export { EtcdLeaderStore, type EtcdLeaderStoreOptions } from './etcd-leader-store.js';
