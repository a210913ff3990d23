import type { KeyTypes } from '@detector-cluster/election/internal/redis';
import { requestsOf, type LogAddress } from '../delivery/log/log-address.js';
import type { ClusterKeys } from './cluster-keys.js';

/** The types of all keys of a cluster, except for those of its logs and the fence, which is repaired in another way. */
export function clusterKeyTypes(keys: ClusterKeys): KeyTypes {
  return new Map([
    [keys.master, 'string'],
    [keys.connections, 'hash'],
    [keys.streams, 'hash'],
    [keys.streamsRevision, 'string'],
    [keys.assignments, 'hash'],
    [keys.desired, 'hash'],
    [keys.actual, 'hash'],
    [keys.actualRevision, 'string'],
    [keys.skipped, 'hash'],
    [keys.requested, 'hash'],
    [keys.sessions, 'hash'],
    [keys.directives, 'hash'],
    [keys.moves, 'hash'],
    [keys.planner, 'string'],
    [keys.rebalance, 'string'],
    [keys.patches, 'hash'],
    [keys.interests, 'hash'],
    [keys.interestsSeen, 'hash'],
    [keys.partitions, 'hash'],
    [keys.events, 'stream'],
    [keys.resignation, 'string'],
  ]);
}

/** The types of the keys of logs. */
export function logKeyTypes(logs: Iterable<LogAddress>): KeyTypes {
  const types: Map<string, 'hash' | 'stream' | 'zset'> = new Map();
  for (const { letters, record, stream } of logs)
    types.set(stream, 'stream').set(record, 'hash').set(letters, 'stream').set(requestsOf(letters), 'zset');
  return types;
}
