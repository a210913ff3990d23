/** Names of what can elect. */
export const BACKENDS = ['redis', 'etcd', 'postgres', 'memory', 'group', 'console'] as const;

/** Where the members of a group find each other. */
export const GROUP_STORES = ['redis', 'postgres'] as const;

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
  readonly groupStore: (typeof GROUP_STORES)[number];
  readonly groupSecret?: string;
  readonly groupCacert?: string;
  readonly groupCert?: string;
  readonly groupKey?: string;
  readonly groupInsecure?: boolean;
}
