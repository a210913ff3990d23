/**
 * Elections over etcd, whose majority confirms each renewal.
 *
 * @example
 * ```ts
 * import { EtcdElectionBackend } from '@detector-cluster/election/etcd';
 *
 * const backend = new EtcdElectionBackend({ etcd: { endpoints: 'http://etcd:2379' }, lockName: 'reports' });
 * ```
 * @packageDocumentation
 */
export type { EtcdSource } from './etcd-connection.js';
export { EtcdError, type EtcdErrorCode } from './etcd.error.js';
export type { EtcdTls, EtcdTlsSource } from './etcd-tls.js';
export { etcdElectionKeys, type EtcdElectionKeys } from './etcd-election-keys.js';
export { EtcdElectionBackend } from './etcd-election-backend.js';
export { EtcdElectionControl } from './etcd-election-control.js';
export type { EtcdElectionOptions } from './etcd-election-options.js';
