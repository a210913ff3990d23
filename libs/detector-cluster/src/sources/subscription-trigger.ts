import { unknownOptions } from '@detector-cluster/election/internal';
import { slotSource } from '@detector-cluster/election/internal/redis';
import {
  boundedCall,
  closeRedis,
  commandSettings,
  databaseOf,
  openRedis,
  type DirectRedisSource,
  type RedisSource,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { ChangedRows } from './changed-rows.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { LOG_TOPICS, TopicLogger } from '../shared/topic-logger.js';
import type { MasterCommand } from './master-command-server.js';

export interface SubscriptionTriggerOptions {
  readonly redis: RedisSource;
  /** The prefix of `DetectorClusterModule`. Default empty. */
  readonly keyPrefix?: string;
  /** Sent in the messages as `triggeredBy`. Default: the node id under the module, otherwise `pid <n>`. */
  readonly processId?: string;
}

/** How long a message waits for the connection. So long, and for the reply to a command, `close()` may take. Milliseconds. */
const PATIENCE = 5_000;

/**
 * Notifies the master that the desired state may have changed. Fire and forget: a call never delays its caller and never fails.
 * A lost message costs at most 30 s, after which the master reads the desired state anyway. `close()` waits for the messages of earlier calls, for
 * at most six seconds, so that a program may write and end.
 *
 * A trigger opens one connection at its first message. A trigger passed to `DetectorClusterModule` as the option `trigger`
 * uses the module's connection instead while the application runs.
 */
export class SubscriptionTrigger {
  /** The options of the constructor. */
  readonly keyPrefix: string;
  private readonly channel: string;
  private readonly source: DirectRedisSource;
  private processId: string;
  private own: Redis | undefined;
  private shared: Redis | undefined;
  private readonly logger = new TopicLogger(LOG_TOPICS.cluster);
  private closed = false;
  private outage = false;
  private readonly pending = new Set<Promise<void>>();
  /** Number of messages that Redis has taken. */
  sent = 0;
  /** Number of messages that Redis did not accept. */
  failed = 0;

  constructor(private readonly options: SubscriptionTriggerOptions) {
    const [unknown] = unknownOptions(options, ['redis', 'keyPrefix', 'processId']);
    if (unknown !== undefined) throw new TypeError(`SubscriptionTrigger: ${unknown}`);
    const { keyPrefix = '' } = options;
    this.keyPrefix = keyPrefix;
    this.processId = options.processId ?? `pid ${process.pid}`;
    this.source = slotSource(options.redis, 'keyPrefix', keyPrefix);
    this.channel = clusterKeys(keyPrefix, databaseOf(this.source)).masterCommands;
  }

  /**
   * @param changeType what happened, e.g. `camera.created`
   * @param entityId the changed entity, if known; for logs only
   * @param rows all rows that have changed: then the master reads only the subscriptions that depend on them
   */
  triggerSubscriptionUpdate(changeType: string, entityId?: string | number, rows?: ChangedRows): void {
    const reason = entityId === undefined ? changeType : `${changeType} ${entityId}`;
    this.publish({ type: 'regenerate_subscriptions', reason, ...(rows && { rows }), ...this.origin() });
  }

  /** The session of a display has been stored. */
  triggerSessionUpdate(displayIdentifier: string): void {
    this.publish({ type: 'session_changed', displayIdentifier, ...this.origin() });
  }

  /** @internal Uses a connection of `commandSettings` that belongs to the caller, until {@link unshare}. */
  share(redis: Redis, processId: string): void {
    this.shared = redis;
    this.processId = this.options.processId ?? processId;
    const { own } = this;
    this.own = undefined;
    // Pending messages are sent first.
    own?.quit().catch(() => closeRedis(own));
  }

  /** @internal The caller of {@link share} is about to close its connection, or has just closed it. */
  unshare(): void {
    this.shared = undefined;
  }

  /** @internal Resolves when the outcome of all messages so far is known. */
  async flush(): Promise<void> {
    await Promise.all(this.pending);
  }

  /**
   * Sends what is pending, then closes the trigger's own connection, if any. Takes at most six seconds. Idempotent; later triggers are ignored.
   */
  async close(): Promise<void> {
    // The Prisma extension announces a write in the turn after its result.
    await new Promise((resolve) => void setImmediate(resolve));
    this.closed = true;
    await this.flush();
    if (this.own) closeRedis(this.own);
  }

  private connection(): Redis {
    if (this.shared) return this.shared;
    this.own ??= openRedis(this.source, { ...commandSettings, connectionName: 'detector-cluster:trigger' });
    return this.own;
  }

  private origin() {
    return { triggeredBy: this.processId, timestamp: new Date().toISOString() };
  }

  private publish(command: MasterCommand): void {
    if (this.closed) return;
    const outcome = this.send(command)
      .then(
        () => this.noteSent(),
        (error: unknown) => this.noteFailed(error),
      )
      .finally(() => this.pending.delete(outcome));
    this.pending.add(outcome);
  }

  /** As a packet of Nest's Redis transport. */
  private async send(data: MasterCommand): Promise<void> {
    const { channel } = this;
    const redis = this.connection();
    const packet = JSON.stringify({ pattern: channel, data });
    await boundedCall(redis, PATIENCE, () => redis.publish(channel, packet));
  }

  private noteSent(): void {
    this.sent++;
    if (this.outage) this.logger.log('notifies the master of changes again');
    this.outage = false;
  }

  /** Logged once per outage. */
  private noteFailed(error: unknown): void {
    this.failed++;
    if (!this.outage)
      this.logger.warn(
        `cannot notify the master of changes (${(error as Error)?.message ?? String(error)}); it reads them within 30 s anyway`,
      );
    this.outage = true;
  }
}
