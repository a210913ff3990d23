import type { KeyTypes } from '@detector-cluster/election/internal/redis';
import { deliveryKeyTypes } from '@detector-cluster/delivery/internal';
import type { ClusterKeys } from './cluster-keys.js';

/** The types of all keys of a cluster, except for those of its logs and the fence, which is repaired in another way. */
export function clusterKeyTypes(keys: ClusterKeys): KeyTypes {
  return new Map([
    ...deliveryKeyTypes(keys),
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
    [keys.models, 'hash'],
    [keys.database, 'string'],
    [keys.planner, 'string'],
    [keys.rebalance, 'string'],
    [keys.patches, 'hash'],
    [keys.events, 'stream'],
    [keys.resignation, 'string'],
  ]);
}
