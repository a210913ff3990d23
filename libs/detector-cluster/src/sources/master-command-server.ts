import type { SharedSubscriber } from '@detector-cluster/election/redis';
import { ServerRedis } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { z } from 'zod';
import { changedRowsSchema } from './changed-rows.js';
import { QuietLogger } from './quiet-logger.js';

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

/** The message of the source document: an input of the desired state has changed. */
export const regenerateSubscriptionsSchema = z.object({
  type: z.literal('regenerate_subscriptions'),
  /** What changed, e.g. `Camera` or `camera.created`. For logs only. */
  reason: z.string().default('unspecified'),
  /** The sender, e.g. a process id. */
  triggeredBy: z.string().default('unknown'),
  /** All rows that have changed. If omitted or unreadable, the master reads everything again. */
  rows: changedRowsSchema.optional().catch(undefined),
  /** ISO 8601. */
  timestamp: z.string().optional(),
});

/** The stored session of a display has changed: a hint to read it. */
export const sessionChangedSchema = z.object({
  type: z.literal('session_changed'),
  displayIdentifier: z.string().min(1),
  triggeredBy: z.string().default('unknown'),
  timestamp: z.string().optional(),
});

/** All messages that the master accepts on `worker:master:commands`. */
export const masterCommandSchema = z.discriminatedUnion('type', [
  regenerateSubscriptionsSchema,
  sessionChangedSchema,
]);

export type MasterCommand = z.infer<typeof masterCommandSchema>;

/** Why a message was rejected; a small fixed set. */
type InvalidCommandKind = 'not-json' | 'not-an-object' | 'unknown-type' | 'invalid-message';

type MasterCommandResult =
  | { readonly ok: true; readonly command: MasterCommand }
  | { readonly ok: false; readonly kind: InvalidCommandKind };

const knownTypes = new Set<unknown>(masterCommandSchema.options.map((option) => option.shape.type.value));

/**
 * Reads one message of the channel, as parsed JSON: a packet of Nest's transport (`{ pattern, data }`, the pattern being
 * the channel) or the flat object that other clients publish. Never throws.
 */
function parseMasterCommand(value: unknown, channel: string): MasterCommandResult {
  if (typeof value === 'string') return { ok: false, kind: 'not-json' };
  if (!isRecord(value)) return { ok: false, kind: 'not-an-object' };
  const message = value.pattern === channel && isRecord(value.data) ? value.data : value;
  if (!knownTypes.has(message.type)) return { ok: false, kind: 'unknown-type' };
  const { success, data } = masterCommandSchema.safeParse(message);
  return success ? { ok: true, command: data } : { ok: false, kind: 'invalid-message' };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
