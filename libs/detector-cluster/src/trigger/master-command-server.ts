import {
  blockingSettings,
  closeRedis,
  keepSubscribed,
  type DirectRedisSource,
} from '@detector-cluster/election/redis';
import { ServerRedis } from '@nestjs/microservices';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import {
  parseMasterCommand,
  type InvalidCommandKind,
  type MasterCommand,
  type MasterCommandResult,
} from './master-command.js';
import { QuietLogger } from './quiet-logger.js';
import { transportOptions } from './transport-options.js';

export interface MasterCommandServerOptions {
  readonly redis: DirectRedisSource;
  readonly keys: ClusterKeys;
  readonly onCommand: (command: MasterCommand) => void;
  /** Called for the first message of each kind; later ones are counted in {@link MasterCommandServer.invalid} only. */
  readonly onInvalid?: (kind: InvalidCommandKind) => void;
  /** The subscription stands again after an interruption; what was published meanwhile is lost. */
  readonly onReconnected?: () => void;
}

/**
 * The receiving end of `worker:master:commands`: Nest's Redis transport, made to hold. It waits for a Redis that is away at
 * the start, comes back after every restart, and takes messages of Nest and of any other client.
 */
export class MasterCommandServer extends ServerRedis {
  /** Messages that were not used, by kind. */
  readonly invalid = new Map<InvalidCommandKind, number>();
  protected override readonly logger = new QuietLogger();
  private closing = false;

  constructor(private readonly settings: MasterCommandServerOptions) {
    const { redis, keys } = settings;
    super({
      ...transportOptions(redis, blockingSettings),
      deserializer: {
        deserialize: (value: unknown, context?: Record<string, unknown>) => {
          const channel = String(context?.channel);
          return { pattern: channel, data: parseMasterCommand(value, channel) };
        },
      },
    });
    this.addHandler(keys.masterCommands, async (result: MasterCommandResult) => this.handle(result), true);
  }

  /** Begins to listen; returns at once, whether Redis is there or not. */
  open(): void {
    void this.listen(() => undefined);
  }

  /** The transport binds its subscription only when the very first attempt to connect succeeds; this one waits for it. */
  override start(callback?: (error?: unknown) => void): void {
    if (!this.closing) void this.bindWhenConnected(callback);
  }

  override async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    this.isManuallyClosed = true;
    for (const client of [this.subClient, this.pubClient]) if (client) closeRedis(client);
  }

  private async bindWhenConnected(callback?: () => void): Promise<void> {
    const { subClient, pubClient } = this;
    await Promise.all(
      [subClient, pubClient].map(async (client) => {
        const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
        (client.connect() as Promise<void>).catch(() => undefined);
        await ready;
      }),
    );
    if (this.closing) return;
    subClient.on('message', this.getMessageHandler(pubClient).bind(this));
    let subscribed = false;
    keepSubscribed(subClient, [this.settings.keys.masterCommands], () => {
      if (subscribed) this.settings.onReconnected?.();
      subscribed = true;
    });
    callback?.();
  }

  private handle(result: MasterCommandResult): void {
    if (result.ok) {
      this.settings.onCommand(result.command);
      return;
    }
    const count = (this.invalid.get(result.kind) ?? 0) + 1;
    this.invalid.set(result.kind, count);
    if (count === 1) this.settings.onInvalid?.(result.kind);
  }
}
