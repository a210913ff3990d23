import type { KeyTypes } from '@detector-cluster/election/internal/redis';
import { channelPrefix } from '@detector-cluster/election/redis';

/**
 * Every key and channel of delivery under one prefix (on Redis Cluster a hash tag such as `{detector}:`).
 * @param database number of the Redis database that holds the keys
 */
export function deliveryKeys(prefix: string, database = 0) {
  const channels = channelPrefix(`${prefix}worker:`, database);
  return {
    /** The highest term of a master: Redis refuses writes of lower terms. */
    fence: `${prefix}worker:fence`,
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
    /** Listener stream of one process; the name of the document's channel. */
    slave: (processId: string) => `${prefix}worker:slave:${processId}`,
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

export type DeliveryKeys = ReturnType<typeof deliveryKeys>;

/** The types of the keys of delivery, except for those of its logs and the fence. */
export function deliveryKeyTypes(keys: DeliveryKeys): KeyTypes {
  return new Map([
    [keys.interests, 'hash'],
    [keys.interestsSeen, 'hash'],
    [keys.partitions, 'hash'],
  ]);
}
