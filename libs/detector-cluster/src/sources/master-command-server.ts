import type { SharedSubscriber } from '@detector-cluster/election/redis';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { z } from 'zod';
import { isRecord, parsedJson } from '../shared/read-json.js';
import { changedRowsSchema } from './changed-rows.js';

export interface MasterCommandServerOptions {
  /** Listens; the caller closes it. */
  readonly subscriber: Pick<SharedSubscriber, 'listen'>;
  readonly keys: Pick<ClusterKeys, 'masterCommands'>;
  readonly onCommand: (command: MasterCommand) => void;
  /** Called for the first message of each kind; later ones are counted in {@link MasterCommandServer.invalid} only. */
  readonly onInvalid?: (kind: InvalidCommandKind) => void;
  /** The subscription is active again after an interruption; messages published in between are lost. */
  readonly onReconnected?: () => void;
}

/** The receiving end of `worker:master:commands`, for messages from Nest's Redis transport and from any other client. */
export class MasterCommandServer {
  /** Messages that were not used, by kind. */
  readonly invalid = new Map<InvalidCommandKind, number>();
  private leave: (() => void) | undefined;

  constructor(private readonly options: MasterCommandServerOptions) {}

  /** Begins to listen; returns at once, whether Redis is available or not. */
  open(): void {
    const { keys, onReconnected, subscriber } = this.options;
    let subscribed = false;
    this.leave = subscriber.listen({ [keys.masterCommands]: (text) => this.handle(text) }, () => {
      if (subscribed) onReconnected?.();
      subscribed = true;
    });
  }

  close(): void {
    this.leave?.();
  }

  private handle(text: string): void {
    const { keys, onCommand, onInvalid } = this.options;
    const command = parseMasterCommand(text, keys.masterCommands);
    if (typeof command !== 'string') return onCommand(command);
    const count = (this.invalid.get(command) ?? 0) + 1;
    this.invalid.set(command, count);
    if (count === 1) onInvalid?.(command);
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

const knownTypes = new Set<unknown>(masterCommandSchema.options.map((option) => option.shape.type.value));

/**
 * Reads one message of the channel: a packet of Nest's transport (`{ pattern, data }`, the pattern being the channel) or the flat object
 * that other clients publish. Never throws.
 */
function parseMasterCommand(text: string, channel: string): MasterCommand | InvalidCommandKind {
  const value = parsedJson(text);
  if (value === undefined) return 'not-json';
  if (!isRecord(value)) return 'not-an-object';
  const message = value.pattern === channel && isRecord(value.data) ? value.data : value;
  if (!knownTypes.has(message.type)) return 'unknown-type';
  return masterCommandSchema.safeParse(message).data ?? 'invalid-message';
}
