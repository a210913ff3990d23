import { closeRedis, slotSource, type RedisSource } from '@detector-cluster/election/redis';
import { Logger } from '@nestjs/common';
import { ClientRedis } from '@nestjs/microservices';
import { clusterKeys } from '../redis/cluster-keys.js';
import { QuietLogger } from './quiet-logger.js';
import type { MasterCommand } from './master-command.js';
import { transportOptions } from './transport-options.js';
import { LOG_TOPICS } from '../util/log-topics.js';

export interface SubscriptionTriggerOptions {
  readonly redis: RedisSource;
  /** As given to `DetectorClusterModule`. Default empty. */
  readonly keyPrefix?: string;
  /** Named in the messages as `triggeredBy`. Default `pid <n>`. */
  readonly processId?: string;
}

class QuietClientRedis extends ClientRedis {
  protected override readonly logger = new QuietLogger();

  /** The transport's own way waits for the server's goodbye and stops half-way when there is none. */
  override async close(): Promise<void> {
    this.isManuallyClosed = true;
    for (const connection of [this.pubClient, this.subClient]) if (connection) closeRedis(connection);
  }
}

/**
 * Tells the master that what it should run may have changed. Fire and forget: it never delays and never fails its caller.
 * A message that is lost costs at most 30 s, after which the master reads the desired state anyway.
 */
export class SubscriptionTrigger {
  private readonly client: ClientRedis;
  private readonly channel: string;
  private readonly processId: string;
  private readonly logger = new Logger(LOG_TOPICS.cluster);
  private closed = false;
  private outage = false;
  /** Messages handed to Redis. */
  sent = 0;
  /** Messages that Redis did not take. */
  failed = 0;

  constructor(options: SubscriptionTriggerOptions) {
    const { keyPrefix = '' } = options;
    this.channel = clusterKeys(keyPrefix).masterCommands;
    this.processId = options.processId ?? `pid ${process.pid}`;
    this.client = new QuietClientRedis(transportOptions(slotSource(options.redis, 'keyPrefix', keyPrefix)));
    // Connected ahead of the first use; where Redis is away, the client goes on trying by itself.
    this.client.connect().catch(() => undefined);
  }

  /**
   * @param changeType what happened, e.g. `camera.created`
   * @param entityId to what, if known
   */
  triggerSubscriptionUpdate(changeType: string, entityId?: string | number): void {
    const reason = entityId === undefined ? changeType : `${changeType} ${entityId}`;
    this.tell({ type: 'regenerate_subscriptions', reason, ...this.origin() });
  }

  /** The session of a display has been stored. */
  triggerSessionUpdate(displayIdentifier: string): void {
    this.tell({ type: 'session_changed', displayIdentifier, ...this.origin() });
  }

  /** Closes the connection. Idempotent; later triggers are ignored. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.client.close();
  }

  private origin() {
    return { triggeredBy: this.processId, timestamp: new Date().toISOString() };
  }

  private tell(command: MasterCommand): void {
    if (this.closed) return;
    this.client.emit<unknown>(this.channel, command).subscribe({
      next: () => this.noteSent(),
      error: (error: unknown) => this.noteFailed(error),
    });
  }

  private noteSent(): void {
    this.sent++;
    if (this.outage) this.logger.log('tells the master of changes again');
    this.outage = false;
  }

  /** Said once in each outage. */
  private noteFailed(error: unknown): void {
    this.failed++;
    if (!this.outage && !this.closed)
      this.logger.warn(
        `cannot tell the master of changes (${(error as Error)?.message ?? String(error)}); it reads them within 30 s anyway`,
      );
    this.outage = true;
  }
}
