import { electionKeys } from '@detector-cluster/election/redis';

/** Keys and channels of the process registry, in addition to those of the election. */
export interface RegistryKeys {
  /** Hash: process id → entry (JSON), each with its own time to live. */
  readonly processes: string;
  /** Sorted set: process id → expiry time in ms, on servers that cannot expire single fields of a hash. */
  readonly expiry: string;
  /** String: the master's entry (JSON), for external readers. */
  readonly masterProcess: string;
  /** Hash: the lease record of the election. */
  readonly lease: string;
  /** Prefix of channels: each process subscribes to `<presence><candidate id>` while it lives. */
  readonly presence: string;
}

/** @param database number of the Redis database that holds the keys */
export function registryKeys(lockName: string, database = 0): RegistryKeys {
  const { lease, presence } = electionKeys(lockName, database);
  return {
    lease,
    presence,
    processes: `${lockName}:processes`,
    expiry: `${lockName}:processes:expiry`,
    masterProcess: `${lockName}:master_process`,
  };
}
