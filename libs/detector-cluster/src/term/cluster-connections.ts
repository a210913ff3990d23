import {
  generalLogConnection,
  type DeliveryConnections,
  type LogConnection,
} from '@detector-cluster/delivery';
import {
  closeRedis,
  commandSettings,
  databaseOf,
  openRedis,
  SharedSubscriber,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { ResolvedDetectorClusterOptions } from '../options/resolve-options.js';
import { clusterKeys, type ClusterKeys } from '../shared/cluster-keys.js';
import { clusterKeyTypes } from '../shared/key-types.js';

/** The connections of a process to Redis, and the keys of its cluster. */
export class ClusterConnections {
  readonly keys: ClusterKeys;
  /** For commands that may wait for each other. */
  readonly redis: Redis;
  /** For all channels. */
  readonly subscriber: SharedSubscriber;
  readonly delivery: DeliveryConnections;
  /** For operations on logs other than appending and acknowledging. */
  readonly logs: LogConnection;

  constructor(
    {
      cluster,
      keyPrefix,
      redis: source,
    }: Pick<ResolvedDetectorClusterOptions, 'cluster' | 'keyPrefix' | 'redis'>,
    readonly onError: (error: Error) => void,
  ) {
    const keys = (this.keys = clusterKeys(keyPrefix, databaseOf(source)));
    this.redis = openRedis(
      source,
      { ...commandSettings, connectionName: 'detector-cluster:commands' },
      onError,
    );
    this.subscriber = new SharedSubscriber(source, onError, 'detector-cluster:subscriber');
    this.delivery = {
      source: cluster ?? source,
      commands: this.redis,
      subscriber: this.subscriber,
      keys,
      guarded: clusterKeyTypes(keys),
      onError,
    };
    this.logs = generalLogConnection(this.delivery);
  }

  close(): void {
    this.subscriber.close();
    this.logs.close();
    closeRedis(this.redis);
  }
}
