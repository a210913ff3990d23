import { isCluster, KeyGuard, type KeyTypes } from '@detector-cluster/election/internal/redis';
import type { RedisSource, SharedSubscriber } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { FencedStore } from '@detector-cluster/election/fence';
import { deliveryKeyTypes, type DeliveryKeys } from './log/delivery-keys.js';
import { logKeyTypes } from './log/log-address.js';
import { LetterStore } from './dead-letters/letter-store.js';
import { openLogConnection, sharedLogConnection, type LogConnection } from './log/log-connection.js';
import { RedisLogSource } from './log/redis-log-source.js';
import { RedisLogStore } from './log/redis-log-store.js';
import { readPartitions, RedisPartitionCount } from './ownership/redis-partition-count.js';
import { consumerDefaults } from './receive/consumer-context.js';
import type { ConsumerStores } from './receive/detection-consumer.js';
import type { RouterStores } from './send/detection-router.js';
import { RedisInterestStore } from './interest/redis-interest-store.js';

/** Connections that delivery shares with the rest of a process. */
export interface DeliveryConnections {
  /** The Redis server, or the whole Redis Cluster, because partitions spread over its nodes. */
  readonly source: RedisSource;
  /** A connection for commands, to the slot of the keys' prefix. */
  readonly commands: Redis;
  readonly subscriber: Pick<SharedSubscriber, 'listen'>;
  readonly keys: DeliveryKeys;
  /** Further keys whose types the master guards. Default none. */
  readonly guarded?: KeyTypes;
  readonly onError: (error: Error) => void;
}

/** The connection for operations on logs other than appending and acknowledging: the shared one, except on a Redis Cluster. */
export function generalLogConnection({ commands, onError, source }: DeliveryConnections): LogConnection {
  return isCluster(source)
    ? openLogConnection(source, 'detector-cluster:partitions', onError)
    : sharedLogConnection(commands);
}

export function redisConsumerStores(
  connections: DeliveryConnections,
  general: LogConnection,
): ConsumerStores {
  const { commands, keys, onError, source, subscriber } = connections;
  const acknowledging = openLogConnection(source, 'detector-cluster:acknowledge', onError);
  const reader = new RedisLogSource(source, 'detector-cluster:read', consumerDefaults.readBlock);
  return {
    source: reader,
    acknowledgements: new RedisLogStore(acknowledging, keys.partitionsChanged),
    callPerLog: acknowledging.isCluster,
    logs: new RedisLogStore(general, keys.partitionsChanged),
    readPartitions: async () => (await readPartitions(commands, keys)).count,
    watch: (onChanged) => subscriber.listen({ [keys.partitionsChanged]: onChanged }, onChanged),
    close: () => {
      acknowledging.close();
      reader.close();
    },
  };
}

/**
 * @param store of the master's term
 * @param acceptanceTimeout how long replicas may take; milliseconds
 */
export function redisRouterStores(
  connections: DeliveryConnections,
  general: LogConnection,
  store: FencedStore,
  acceptanceTimeout = 0,
): RouterStores {
  const { commands, guarded = [], keys, onError, source, subscriber } = connections;
  const guard = new KeyGuard(general.redis, general.isCluster, (message) => store.foreign(message));
  const appending = openLogConnection(source, 'detector-cluster:append', onError, acceptanceTimeout);
  return {
    logs: new RedisLogStore(general, keys.partitionsChanged),
    append: { store: new RedisLogStore(appending, keys.partitionsChanged), callPerLog: appending.isCluster },
    guard: (logs) => guard.look(new Map([...deliveryKeyTypes(keys), ...guarded, ...logKeyTypes(logs)])),
    confirmTerm: () => store.raise(),
    interests: new RedisInterestStore(commands, store, keys),
    partitions: new RedisPartitionCount(commands, store, keys),
    replays: new LetterStore(commands, general, keys),
    watch: (looks) => {
      const { interests, owners, replays } = looks;
      const { interestsChanged, partitionsChanged, replayRequested } = keys;
      return subscriber.listen(
        { [interestsChanged]: interests, [partitionsChanged]: owners, [replayRequested]: replays },
        () => Object.values(looks).forEach((look) => look()),
      );
    },
    close: () => appending.close(),
  };
}
