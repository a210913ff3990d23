import {
  blockingSettings,
  boundedCall,
  closeRedis,
  commandSettings,
  openRedis,
  RedisScript,
  slotSource,
  watchSilence,
  whenReady,
  type RedisSource,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { parseFeedRecord, type NewFeedRecord } from '../feed-record.js';
import type { FeedStore, FeedStoreListener } from '../feed-store.js';
import { RedisLease } from './redis-lease.js';
import { publishRecord } from './scripts/scripts.generated.js';

const publishScript = new RedisScript<number>(publishRecord);

/** A connection that is being made endangers nothing, and a busy machine takes longer for it than for a call. Milliseconds. */
const CONNECT_TIMEOUT = 5_000;

/** A server that was cut off says no goodbye. Milliseconds. */
const SILENCE = { interval: 1_000, limit: 3_000 };

/**
 * A channel for news, and in strict mode a key `<channel>:lease`. Two connections: one for commands, one that listens. In classic
 * mode nothing is stored: records are published, with the time of the server.
 */
export class RedisFeedStore implements FeedStore {
  readonly name = 'redis';
  readonly lease: RedisLease;
  private readonly source: RedisSource;
  private readonly connectTimeout: number;
  private publisher: Redis | undefined;
  private subscriber: Redis | undefined;

  /**
   * @param source Of an instance the settings are copied; it is not used.
   * @param timeout How long each call may take. Milliseconds.
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

  /** For commands, while it is open. */
  get pub(): Redis | undefined {
    return this.publisher;
  }

  /** That listens, while it is subscribed. */
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

  /** Redis makes what it needs by itself. */
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

/** The channel belongs to the election: what is neither a record nor news of the lease is left alone. */
function hear(message: string, listener: FeedStoreListener): void {
  const record = parseFeedRecord(message);
  if (record) listener.heard(record);
  else if (/^\{"lease":\d+\}$/.test(message)) listener.leaseChanged();
}
