import { z } from 'zod';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import { MasterChangedError } from './resigner.js';
import { MasterRequestError, type MasterRequestProblem } from '../shared/master-errors.js';
import { readJson } from '../shared/read-json.js';

const MAX_DETAIL_LENGTH = 1_000;

const problems = [
  'failed',
  'unreadable',
  'too-large',
  'unknown-method',
] as const satisfies MasterRequestProblem[];

/** The transport form of an error from the master to the caller. */
const wireErrorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invalid-input'), field: z.string(), problem: z.string() }),
  z.object({
    kind: z.literal('master-changed'),
    asked: z.number(),
    term: z.number(),
    processId: z.string(),
  }),
  z.object({ kind: z.enum(problems), detail: z.string() }),
]);

export type WireError = z.infer<typeof wireErrorSchema>;

/** Errors that callers distinguish keep their name and fields; all others keep their name and message. */
export function toWireError(error: unknown): WireError {
  if (error instanceof InvalidInputError)
    return {
      kind: 'invalid-input',
      field: error.field,
      problem: error.message.slice(error.field.length + ': '.length, MAX_DETAIL_LENGTH),
    };
  const known = error instanceof MasterRequestError && problems.find((problem) => problem === error.problem);
  if (known) return { kind: known, detail: (error as MasterRequestError).detail };
  if (error instanceof MasterChangedError) {
    const { asked, term, processId } = error;
    return { kind: 'master-changed', asked, term, processId };
  }
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'failed', detail: `the master failed with ${detail.slice(0, MAX_DETAIL_LENGTH)}` };
}

/** @param call the method of the application's API, for messages */
export function fromWireError(error: WireError, call: string): Error {
  if (error.kind === 'invalid-input') return new InvalidInputError(error.field, error.problem);
  if (error.kind === 'master-changed')
    return new MasterChangedError(error.asked, error.term, error.processId);
  return new MasterRequestError(call, error.kind, error.detail);
}

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
const MAX_REQUEST = 64 * 1024;

/** Null: not a request. Never throws. */
export function parseRequest(text: string): MasterRequest | null {
  return text.length > MAX_REQUEST ? null : readJson(masterRequestSchema, text);
}

/** Null: not a reply. Never throws. */
export function parseReply(text: string): MasterReply | null {
  return readJson(masterReplySchema, text);
}
