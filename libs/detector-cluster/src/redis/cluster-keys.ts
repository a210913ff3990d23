/** Every key and channel of the cluster under one prefix (on Redis Cluster a hash tag such as `{detector}:`). */
export function clusterKeys(prefix: string) {
  return {
    fence: `${prefix}worker:fence`,
    connections: `${prefix}worker:connections`,
    assignments: `${prefix}worker:assignments`,
    desired: `${prefix}worker:desired_subscriptions`,
    actual: `${prefix}worker:actual_subscriptions`,
    /** display id → JSON: why it yields no subscription. */
    skipped: `${prefix}worker:skipped_displays`,
    /** Explicit subscriptions made with `subscribeToCamera`. */
    requested: `${prefix}worker:requested_subscriptions`,
    /** display id → session id, or `null` where it was cleared. */
    sessions: `${prefix}worker:sessions`,
    /** worker URL → JSON: what an operator wants of it (cordoned, draining). Written by any process. */
    directives: `${prefix}worker:directives`,
    /** unit id → JSON: a move under way, from which a successor goes on. */
    moves: `${prefix}worker:moves`,
    /** JSON: what the planner remembers from plan to plan. */
    planner: `${prefix}worker:planner`,
    /** `<term>-<n>` → JSON: a session patch of a worker that has not been answered yet. */
    patches: `${prefix}worker:patches`,
    /** process id → JSON list of the subscriptions it has listeners for. */
    interests: `${prefix}worker:interests`,
    /** process id → version of its interests that the master routes by. */
    interestsSeen: `${prefix}worker:interests:seen`,
    /**
     * Sorted set of process ids that have a stream: how a new master finds what dead processes left behind, and in which order
     * it has to be moved, the highest score first.
     */
    streams: `${prefix}worker:slaves`,
    /** `streams` or `pubsub`: how the master delivers. */
    transport: `${prefix}worker:transport`,
    /** process id → number of its entries that were dropped because its backlog was full. */
    dropped: `${prefix}worker:dropped`,
    deadLetters: `${prefix}worker:dead_letters`,
    /** Sorted set of the dead letters that shall be delivered again, in the order of the requests. */
    replayRequests: `${prefix}worker:dead_letters:replay`,
    events: `${prefix}worker:events`,
    /** JSON: the last resignation that was asked for, and by which request. */
    resignation: `${prefix}worker:resignation`,
    /** Stream of one process; the name of the document's channel. */
    slave: (processId: string) => `${prefix}worker:slave:${processId}`,
    /** Channels. */
    masterCommands: `${prefix}worker:master:commands`,
    /** Questions to the master that want an answer. */
    masterRequests: `${prefix}worker:master:requests`,
    /** Its answers to one process. */
    replies: (processId: string) => `${prefix}worker:replies:${processId}`,
    assignmentsChanged: `${prefix}worker:assignments:changed`,
    /** A process says here that it wrote its interests. */
    interestsChanged: `${prefix}worker:interests:changed`,
    /** A process says here that it asked for dead letters to be delivered again. */
    replayRequested: `${prefix}worker:dead_letters:replay:requested`,
  } as const;
}

export type ClusterKeys = ReturnType<typeof clusterKeys>;
