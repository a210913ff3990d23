import type { SharedSubscriber } from '@detector-cluster/election/redis';
import { Logger } from '@nestjs/common';
import { ServerRedis } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../store/cluster-keys.js';
import {
  type InvalidCommandKind,
  type MasterCommand,
  type MasterCommandResult,
  parseMasterCommand,
} from './master-command.js';

export interface MasterCommandServerOptions {
  /** Listens; the caller closes it. */
  readonly subscriber: Pick<SharedSubscriber, 'listen'>;
  /** For commands; the caller closes it. */
  readonly publisher: Redis;
  readonly keys: Pick<ClusterKeys, 'masterCommands'>;
  readonly onCommand: (command: MasterCommand) => void;
  /** Called for the first message of each kind; later ones are counted in {@link MasterCommandServer.invalid} only. */
  readonly onInvalid?: (kind: InvalidCommandKind) => void;
  /** The subscription is active again after an interruption; messages published in between are lost. */
  readonly onReconnected?: () => void;
}

/**
 * The receiving end of `worker:master:commands`: Nest's Redis transport on connections that the process shares. The
 * transport reads the messages and finds their handler; it does not dial, configure or close anything. It accepts messages
 * from Nest and from any other client.
 */
export class MasterCommandServer extends ServerRedis {
  /** Messages that were not used, by kind. */
  readonly invalid = new Map<InvalidCommandKind, number>();
  protected override readonly logger = new QuietLogger();
  private leave: (() => void) | undefined;
  private closed = false;

  constructor(private readonly settings: MasterCommandServerOptions) {
    super({
      deserializer: {
        deserialize: (value: unknown, context?: Record<string, unknown>) => {
          const channel = String(context?.channel);
          return { pattern: channel, data: parseMasterCommand(value, channel) };
        },
      },
    });
    const { masterCommands } = settings.keys;
    this.addHandler(masterCommands, async (result: MasterCommandResult) => this.handle(result), true);
  }

  /** Begins to listen; returns at once, whether Redis is available or not. Idempotent. */
  open(): void {
    void this.listen(() => undefined);
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    if (this.closed || this.leave) return;
    const { publisher, subscriber, keys } = this.settings;
    const { masterCommands } = keys;
    const take = (text: string) =>
      void this.handleMessage(masterCommands, text, publisher, masterCommands).catch(() => undefined);
    let subscribed = false;
    this.leave = subscriber.listen({ [masterCommands]: take }, () => {
      if (subscribed) this.settings.onReconnected?.();
      subscribed = true;
    });
    callback();
  }

  override async close(): Promise<void> {
    this.closed = true;
    this.leave?.();
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

/** The transport logs every failed attempt to connect as an error. The owner of the connection logs it once. */
export class QuietLogger extends Logger {
  override error(): void {}
  override log(): void {}
  override warn(): void {}
}
