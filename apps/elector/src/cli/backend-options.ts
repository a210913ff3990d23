import { readFile } from 'node:fs/promises';
import type { EtcdSource } from '@detector-cluster/election/etcd';
import { postgresUrlProblems } from '@detector-cluster/election/internal';
import { UsageError } from './usage.error.js';

/** Names of the backends. */
export const BACKENDS = ['redis', 'etcd', 'postgres', 'memory', 'group', 'console'] as const;

export type BackendName = (typeof BACKENDS)[number];

/** Where an election takes place, as the flags say it. Durations in milliseconds. */
export interface BackendOptions {
  readonly backend: BackendName;
  readonly lockName: string;
  readonly lockTtl?: number;
  readonly redisUrl: string;
  readonly etcdEndpoints: string;
  readonly etcdCacert?: string;
  readonly etcdCert?: string;
  readonly etcdKey?: string;
  readonly etcdUsername?: string;
  readonly etcdPassword?: string;
  readonly postgresUrl: string;
  readonly postgresTable: string;
  readonly groupAddress?: string;
  readonly groupSecret?: string;
  readonly groupCacert?: string;
  readonly groupCert?: string;
  readonly groupKey?: string;
  readonly groupInsecure?: boolean;
}

/** @throws UsageError */
export function redisUrl({ redisUrl: url }: BackendOptions): string {
  return checked('--redis-url', url, /^rediss?:\/\//, 'redis://host:port or rediss://host:port');
}

/** @throws UsageError */
export function postgresUrl({ postgresUrl: url }: BackendOptions): string {
  const [problem] = postgresUrlProblems(url);
  if (problem !== undefined) throw new UsageError(`--postgres-url: ${problem}`);
  return url;
}

/** The message does not repeat the value, which may hold a password. */
function checked(flag: string, url: string, scheme: RegExp, example: string): string {
  if (!scheme.test(url) || !URL.canParse(url)) throw new UsageError(`${flag} must be a URL ${example}`);
  return url;
}

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
