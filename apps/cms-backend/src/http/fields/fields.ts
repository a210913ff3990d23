import { identifierProblem } from '@detector-cluster/detector-cluster';
import { z } from 'zod';

/** Control characters and halves of surrogate pairs: Postgres refuses or silently replaces them. */
const printable = /^[^\p{Cc}\p{Cs}]*$/u;

/** Text without control characters. */
export function textField(max: number) {
  return z
    .string('must be a string')
    .max(max, `must be at most ${max} characters`)
    .regex(printable, 'must not contain control characters');
}

/** Text that is not empty, e.g. a name. */
export function nameField() {
  return textField(256).regex(/\S/, 'must not be empty');
}

/**
 * One half of a subscription identifier `<displayId>;<cameraId>`. "." and ".." are refused because no URL can carry
 * them as a path segment, so that they could not be read or deleted again.
 */
export function identifierField() {
  return z
    .string('must be a string')
    .superRefine((value, context) => {
      const problem = identifierProblem(value) ?? (printable.test(value) ? null : 'must be valid Unicode');
      if (problem !== null) context.addIssue(problem);
      else if (value === '.' || value === '..') context.addIssue('must not be "." or ".."');
    })
    .meta({ override: { minLength: 1, maxLength: 256, pattern: '^[^;\\u0000-\\u001f\\u007f-\\u009f]+$' } });
}

/** A database id in a body. */
export function idField() {
  return z.int32('must be a whole number').min(1, 'must be at least 1');
}

/** An identifier in a path. Whatever could be stored by another writer can be looked up, so that it can be removed. */
export const identifierParam = z
  .string()
  .min(1)
  .max(512, 'must be at most 512 characters')
  // eslint-disable-next-line no-control-regex
  .regex(/^[^\u0000\p{Cs}]*$/u, 'must be valid text');

/** A database id in a path. */
export const idParam = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(2_147_483_647, 'must be at most 2147483647');

/** When something happened, as ISO 8601 in UTC. */
export const instantField = z.iso.datetime();
