import { z } from 'zod';
import { InvalidInputError } from '../../model/subscription-identifier.js';
import { MasterChangedError } from '../resignation/present-term.js';
import { MasterRequestError, type MasterRequestProblem } from '../master-request.error.js';

const LONGEST = 1_000;

const problems = [
  'failed',
  'unreadable',
  'too-large',
  'unknown-method',
] as const satisfies MasterRequestProblem[];

/** The transport form of an error from the master to the caller. */
export const wireErrorSchema = z.discriminatedUnion('kind', [
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
      problem: error.message.slice(error.field.length + ': '.length, LONGEST),
    };
  const known = error instanceof MasterRequestError && problems.find((problem) => problem === error.problem);
  if (known) return { kind: known, detail: (error as MasterRequestError).detail };
  if (error instanceof MasterChangedError) {
    const { asked, term, processId } = error;
    return { kind: 'master-changed', asked, term, processId };
  }
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'failed', detail: `the master failed with ${detail.slice(0, LONGEST)}` };
}

/** @param call the method of the application's API, for messages */
export function fromWireError(error: WireError, call: string): Error {
  if (error.kind === 'invalid-input') return new InvalidInputError(error.field, error.problem);
  if (error.kind === 'master-changed')
    return new MasterChangedError(error.asked, error.term, error.processId);
  return new MasterRequestError(call, error.kind, error.detail);
}
