import type { ClusterKeys } from '../../redis/cluster-keys.js';

/** The keys of one log. On a Redis Cluster they are in one slot. */
export interface LogAddress {
  /** The stream: an entry exists exactly as long as it is unfinished. */
  readonly stream: string;
  /** A hash: the owner, the exact size of the backlog, what was dropped. */
  readonly record: string;
  /** Stream of the entries that were given up. */
  readonly letters: string;
  /** Null for the listener stream of a process. */
  readonly partition: number | null;
  /** How long the log outlives its last sign of life; 0 for ever. Milliseconds. */
  readonly lifetime: number;
}

/** A listener stream ends with its process. A process that is frozen for longer loses it. Milliseconds. */
export const LISTENER_LIFETIME = 600_000;

export function partitionLog(keys: ClusterKeys, partition: number): LogAddress {
  const stream = keys.partition(partition);
  return { stream, record: `${stream}:owner`, letters: `${stream}:dead`, partition, lifetime: 0 };
}

/** The log of copies for the callbacks that live in one process. */
export function listenerLog(keys: ClusterKeys, processId: string): LogAddress {
  const stream = keys.slave(processId);
  return {
    stream,
    record: `${stream}:record`,
    letters: keys.deadLetters,
    partition: null,
    lifetime: LISTENER_LIFETIME,
  };
}
