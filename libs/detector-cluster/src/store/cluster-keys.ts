import { channelPrefix } from '@detector-cluster/election/redis';
import { DEFAULT_LOCK_NAME } from '@detector-cluster/master-election';

/**
 * Every key and channel of the cluster under one prefix (on Redis Cluster a hash tag such as `{detector}:`).
 * @param database number of the Redis database that holds the keys
 */
export function clusterKeys(prefix: string, database = 0) {
  const channels = channelPrefix(`${prefix}worker:`, database);
  return {
    /** JSON: the master that keeps all this up to date. It is written every 2 s. */
    master: `${prefix}worker:master`,
    fence: `${prefix}worker:fence`,
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
    /** JSON: what the planner remembers from plan to plan. */
    planner: `${prefix}worker:planner`,
    /** JSON: the progress of the last rebalance that was requested. */
    rebalance: `${prefix}worker:rebalance`,
    /** `<term>-<n>` → JSON: a session patch of a worker that has not been answered yet. */
    patches: `${prefix}worker:patches`,
    /** process id → JSON: the subscriptions that it has listeners for, and whether it has global ones. */
    interests: `${prefix}worker:interests`,
    /** process id → version of its interests that the master routes by. */
    interestsSeen: `${prefix}worker:interests:seen`,
    /** Number of partitions. */
    partitions: `${prefix}worker:partitions`,
    /** Stream of one partition. It has a hash tag of its own, so that partitions spread over the nodes of a Redis Cluster. */
    partition: (partition: number) => `${prefix.replaceAll(/[{}]/g, '')}worker:detections:{${partition}}`,
    /** Dead letters of listener streams. Those of a partition are beside its stream. */
    deadLetters: `${prefix}worker:dead_letters`,
    events: `${prefix}worker:events`,
    /** JSON: the last requested resignation, and its request. */
    resignation: `${prefix}worker:resignation`,
    /** Listener stream of one process; the name of the document's channel. */
    slave: (processId: string) => `${prefix}worker:slave:${processId}`,
    /** Channels. */
    masterCommands: `${channels}master:commands`,
    /** Requests to the master. */
    masterRequests: `${channels}master:requests`,
    /** The master's answers to one process. */
    replies: (processId: string) => `${channels}replies:${processId}`,
    assignmentsChanged: `${channels}assignments:changed`,
    /** The owner of a partition has changed, or is asked to hand it over: processes read the owner records. */
    partitionsChanged: `${channels}partitions:changed`,
    /** On this channel, a process announces that it has written its interests. */
    interestsChanged: `${channels}interests:changed`,
    /** On this channel, the master names processes whose interests it has removed. A process that lives writes them again. */
    interestsForgotten: `${channels}interests:forgotten`,
    /** On this channel, a process announces that it has requested a replay of dead letters. */
    replayRequested: `${channels}dead_letters:replay:requested`,
  } as const;
}

export type ClusterKeys = ReturnType<typeof clusterKeys>;

/** Applications that share a Redis have different locks, and therefore different keys. */
export function defaultKeyPrefix(lockName: string): string {
  return lockName === DEFAULT_LOCK_NAME ? '' : `${lockName}:`;
}
