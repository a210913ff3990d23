import { readFile } from 'node:fs/promises';
import type { EtcdSource } from '@detector-cluster/election/etcd';
import { UsageError } from '../cli/usage.error.js';
import type { BackendOptions } from './backend-options.js';

/** The cluster that the flags name. Certificates are read at every connection, so that renewed ones are used. */
export function etcdSource(options: BackendOptions): EtcdSource {
  const { etcdEndpoints, etcdCacert, etcdCert, etcdKey, etcdUsername, etcdPassword } = options;
  if ((etcdCert === undefined) !== (etcdKey === undefined))
    throw new UsageError('--etcd-cert and --etcd-key belong together: give both or none');
  const secure = etcdCacert !== undefined || etcdCert !== undefined;
  const tls = async () => ({
    ...(etcdCacert && { ca: await readFile(etcdCacert) }),
    ...(etcdCert && { cert: await readFile(etcdCert) }),
    ...(etcdKey && { key: await readFile(etcdKey) }),
  });
  return {
    endpoints: etcdEndpoints.split(',').map((endpoint) => endpoint.trim()),
    ...(secure && { tls }),
    ...(etcdUsername !== undefined && { username: etcdUsername }),
    ...(etcdPassword !== undefined && { password: etcdPassword }),
  };
}
