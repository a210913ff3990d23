import { RedisLease, RedisScript, slotSource, watchSilence } from '@detector-cluster/election/internal/redis';
import {
  blockingSettings,
  boundedCall,
  closeRedis,
  commandSettings,
  openRedis,
  type RedisSource,
  whenReady,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import {
  type FeedStore,
  type FeedStoreListener,
  type NewFeedRecord,
  parseFeedRecord,
} from '../../lease/feed-store.js';
import { publishRecord } from './scripts.generated.js';

const publishScript = new RedisScript<number>(publishRecord);

/** Minimum timeout of a new connection: a slow one is harmless, and common on a busy machine. Milliseconds. */
const CONNECT_TIMEOUT = 5_000;

/** When to ping the server, and when to dial again: a server that was cut off does not close the connection. Milliseconds. */
const SILENCE = { interval: 1_000, limit: 3_000 };

/**
 * A channel for records, and in strict mode a key `<channel>:lease`. Uses two connections: one for commands, one that subscribes. In
 * classic mode it stores nothing: it publishes records with the time of the server.
 */
export class RedisFeedStore implements FeedStore {
  readonly name = 'redis';
  readonly lease: RedisLease;
  private readonly source: RedisSource;
  private readonly connectTimeout: number;
  private publisher: Redis | undefined;
  private subscriber: Redis | undefined;

  /**
   * @param source The settings of an instance are copied; the instance itself is not used.
   * @param timeout Timeout of each call. Milliseconds.
   * @throws RangeError when the channel has no hash tag and the source is a cluster.
   */
  constructor(
    source: RedisSource,
    private readonly channel: string,
    private readonly timeout: number,
  ) {
    this.source = slotSource(source, 'channel', channel);
    this.connectTimeout = Math.max(timeout, CONNECT_TIMEOUT);
    this.lease = new RedisLease(() => this.connected, `${channel}:lease`, channel, timeout);
  }

  /** The connection for commands while the store is open. */
  get pub(): Redis | undefined {
    return this.publisher;
  }

  /** The connection that listens while the store is subscribed. */
  get sub(): Redis | undefined {
    return this.subscriber;
  }

  async open(): Promise<void> {
    this.publisher ??= openRedis(this.source, {
      ...commandSettings,
      commandTimeout: this.timeout,
      connectionName: 'leaderfeed:commands',
    });
    await whenReady(this.publisher, this.connectTimeout);
  }

  /** Redis creates keys and channels on first use. */
  create(): Promise<void> {
    return Promise.resolve();
  }

  async subscribe(listener: FeedStoreListener): Promise<void> {
    const redis = openRedis(this.source, {
      ...blockingSettings,
      commandTimeout: this.timeout,
      connectionName: 'leaderfeed:news',
      retryStrategy: () => null,
    });
    this.subscriber = redis;
    redis.on('message', (_channel, message) => hear(message, listener));
    try {
      await whenReady(redis, this.connectTimeout);
      await redis.subscribe(this.channel);
    } catch (error) {
      closeRedis(redis);
      throw error;
    }
    watchSilence(redis, SILENCE);
    const broken = () => {
      if (this.subscriber !== redis) return;
      closeRedis(redis);
      listener.failed(new Error('the connection that listens to Redis broke'));
    };
    redis.once('close', broken);
    if (redis.status !== 'ready') broken();
  }

  unsubscribe(): Promise<void> {
    const redis = this.subscriber;
    this.subscriber = undefined;
    if (redis) closeRedis(redis);
    return Promise.resolve();
  }

  async write({ leader, by, kind, election }: NewFeedRecord): Promise<void> {
    const redis = this.connected;
    const args = [this.channel, leader ?? '', by, kind, election];
    await boundedCall(redis, this.timeout, () => publishScript.run(redis, [], args));
  }

  async close(): Promise<void> {
    await this.unsubscribe();
    if (this.publisher) closeRedis(this.publisher);
    this.publisher = undefined;
  }

  private get connected(): Redis {
    if (!this.publisher) throw new Error('the connection to Redis is closed');
    return this.publisher;
  }
}

/** The channel belongs to the election. Messages that are neither a record nor a change of the lease are ignored. */
function hear(message: string, listener: FeedStoreListener): void {
  const record = parseFeedRecord(message);
  if (record) listener.heard(record);
  else if (/^\{"lease":\d+\}$/.test(message)) listener.leaseChanged();
}
