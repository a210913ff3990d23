import { electionKeys } from '@detector-cluster/election/redis';

/** Keys and channels of the process registry, beside those of the election. */
export interface RegistryKeys {
  /** Hash: process id → entry (JSON), each with its own time to live. */
  readonly processes: string;
  /** Sorted set: process id → expiry time in ms, on servers that cannot expire single fields of a hash. */
  readonly expiry: string;
  /** String: the master's entry (JSON), for readers outside. */
  readonly masterProcess: string;
  /** Hash: the lease record of the election. */
  readonly lease: string;
}

export function registryKeys(lockName: string): RegistryKeys {
  return {
    processes: `${lockName}:processes`,
    expiry: `${lockName}:processes:expiry`,
    masterProcess: `${lockName}:master_process`,
    lease: electionKeys(lockName).lease,
  };
}

/** The channel to which a process listens for as long as it lives, and on which nothing is ever sent. */
export function presenceChannel(lockName: string, nodeId: string): string {
  return `${lockName}:presence:${nodeId}`;
}
