export { EtcdLeaderStore, type EtcdLeaderStoreOptions } from './etcd-leader-store.js';
