import { z } from 'zod';
import { wireErrorSchema } from './wire-error.js';

/** A request to the current master. A message with the same `id` is the same request. */
export const masterRequestSchema = z.object({
  id: z.string().min(1).max(64),
  /** Process id: the answer goes to `worker:replies:<from>`. */
  from: z.string().min(1).max(512),
  method: z.string().min(1).max(64),
  params: z.unknown(),
});

/** The master's reply to one request: in progress, or its result. */
export const masterReplySchema = z.discriminatedUnion('state', [
  z.object({ id: z.string(), state: z.literal('working') }),
  z.object({ id: z.string(), state: z.literal('done'), result: z.unknown() }),
  z.object({ id: z.string(), state: z.literal('failed'), error: wireErrorSchema }),
]);

export type MasterRequest = z.infer<typeof masterRequestSchema>;
export type MasterReply = z.infer<typeof masterReplySchema>;

/** Longer messages are not requests. Characters. */
const LONGEST_REQUEST = 64 * 1024;

/** Null: not a request. Never throws. */
export function parseRequest(text: string): MasterRequest | null {
  return text.length > LONGEST_REQUEST ? null : parse(masterRequestSchema, text);
}

/** Null: not a reply. Never throws. */
export function parseReply(text: string): MasterReply | null {
  return parse(masterReplySchema, text);
}

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
