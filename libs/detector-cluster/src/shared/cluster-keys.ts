import { channelPrefix } from '@detector-cluster/election/redis';
import { deliveryKeys } from '@detector-cluster/delivery';
import { DEFAULT_LOCK_NAME } from '@detector-cluster/master-election';

/**
 * Every key and channel of the cluster under one prefix (on Redis Cluster a hash tag such as `{detector}:`).
 * @param database number of the Redis database that holds the keys
 */
export function clusterKeys(prefix: string, database = 0) {
  const channels = channelPrefix(`${prefix}worker:`, database);
  return {
    ...deliveryKeys(prefix, database),
    /** JSON: the master that keeps all this up to date. It is written every 2 s. */
    master: `${prefix}worker:master`,
    connections: `${prefix}worker:connections`,
    /** worker URL → JSON: ids of the subscriptions that it reports, sorted. */
    streams: `${prefix}worker:streams`,
    /** Changes with each change of `streams`. */
    streamsRevision: `${prefix}worker:streams:revision`,
    /** partition → the process that owns it; the owner records decide. */
    assignments: `${prefix}worker:assignments`,
    desired: `${prefix}worker:desired_subscriptions`,
    actual: `${prefix}worker:actual_subscriptions`,
    /** Changes with each change of `actual`. */
    actualRevision: `${prefix}worker:actual_subscriptions:revision`,
    /** display id → JSON: why it yields no subscription. */
    skipped: `${prefix}worker:skipped_displays`,
    /** Explicit subscriptions made with `subscribeToCamera`. */
    requested: `${prefix}worker:requested_subscriptions`,
    /** display id → session id, or `null` where it was cleared. */
    sessions: `${prefix}worker:sessions`,
    /** worker URL → JSON: its standing, set by an operator (cordoned, draining). Written by any process. */
    directives: `${prefix}worker:directives`,
    /** unit id → JSON: a move under way, from which a successor continues. */
    moves: `${prefix}worker:moves`,
    /** model → JSON: the versions of its file, and which cameras run which. */
    models: `${prefix}worker:models`,
    /** JSON: the newest position in the history of the database from which the desired state was read. */
    database: `${prefix}worker:database`,
    /** JSON: what the planner remembers from plan to plan. */
    planner: `${prefix}worker:planner`,
    /** JSON: the progress of the last rebalance that was requested. */
    rebalance: `${prefix}worker:rebalance`,
    /** `<term>-<n>` → JSON: a session patch of a worker that has not been answered yet. */
    patches: `${prefix}worker:patches`,
    events: `${prefix}worker:events`,
    /** JSON: the last requested resignation, and its request. */
    resignation: `${prefix}worker:resignation`,
    /** Channels. */
    masterCommands: `${channels}master:commands`,
    /** Requests to the master. */
    masterRequests: `${channels}master:requests`,
    /** The master's answers to one process. */
    replies: (processId: string) => `${channels}replies:${processId}`,
    assignmentsChanged: `${channels}assignments:changed`,
  } as const;
}

export type ClusterKeys = ReturnType<typeof clusterKeys>;

/** Applications that share a Redis have different locks, and therefore different keys. */
export function defaultKeyPrefix(lockName: string): string {
  return lockName === DEFAULT_LOCK_NAME ? '' : `${lockName}:`;
}
