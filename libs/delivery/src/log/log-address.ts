import type { KeyTypes } from '@detector-cluster/election/internal/redis';
import type { DeliveryKeys } from './delivery-keys.js';

/**
 * The partition of a subscription: the 32-bit FNV-1a hash of its identifier's UTF-16 units, finished as in MurmurHash3, modulo
 * the number of partitions. Every version of the library must compute the same.
 */
export function partitionOf(subscriptionIdentifier: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < subscriptionIdentifier.length; i++)
    hash = Math.imul(hash ^ subscriptionIdentifier.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % partitions;
}

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
  /** For how long the log is kept after its last use; 0: without limit. Milliseconds. */
  readonly lifetime: number;
}

/** A listener stream ends with its process. A process that is frozen for longer loses it. Milliseconds. */
export const LISTENER_LIFETIME = 600_000;

/** The sorted set of the dead letters of a stream that are to be delivered again. */
export const requestsOf = (letters: string): string => `${letters}:replay`;

export function partitionLog(keys: DeliveryKeys, partition: number): LogAddress {
  const stream = keys.partition(partition);
  return { stream, record: `${stream}:owner`, letters: `${stream}:dead`, partition, lifetime: 0 };
}

export function partitionLogs(keys: DeliveryKeys, partitions: number): LogAddress[] {
  return Array.from({ length: partitions }, (_, partition) => partitionLog(keys, partition));
}

/** The log of copies for the callbacks that live in one process. */
export function listenerLog(keys: DeliveryKeys, processId: string): LogAddress {
  const stream = keys.slave(processId);
  return {
    stream,
    record: `${stream}:record`,
    letters: keys.deadLetters,
    partition: null,
    lifetime: LISTENER_LIFETIME,
  };
}

/** The types of the keys of logs. */
export function logKeyTypes(logs: Iterable<LogAddress>): KeyTypes {
  const types: Map<string, 'hash' | 'stream' | 'zset'> = new Map();
  for (const { letters, record, stream } of logs)
    types.set(stream, 'stream').set(record, 'hash').set(letters, 'stream').set(requestsOf(letters), 'zset');
  return types;
}
