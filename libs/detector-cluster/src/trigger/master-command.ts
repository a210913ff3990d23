import { z } from 'zod';
import { changedRowsSchema } from '../desired/changed-rows.js';

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
export type InvalidCommandKind = 'not-json' | 'not-an-object' | 'unknown-type' | 'invalid-message';

export type MasterCommandResult =
  | { readonly ok: true; readonly command: MasterCommand }
  | { readonly ok: false; readonly kind: InvalidCommandKind };

const knownTypes = new Set<unknown>(masterCommandSchema.options.map((option) => option.shape.type.value));

/**
 * Reads one message of the channel, as parsed JSON: a packet of Nest's transport (`{ pattern, data }`, the pattern being
 * the channel) or the flat object that other clients publish. Never throws.
 */
export function parseMasterCommand(value: unknown, channel: string): MasterCommandResult {
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
