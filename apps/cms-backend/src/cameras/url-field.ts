import { hasStrayAt, isRedacted, REDACTED } from '@detector-cluster/detector-cluster/redact';
import { z } from 'zod';

const MAX_LENGTH = 4096;

/** A URL of one of the given protocols that may carry credentials. */
export function urlField(...protocols: string[]) {
  const expected = protocols.map((protocol) => `${protocol}//`).join(', ');
  return z
    .string('must be a string')
    .max(MAX_LENGTH, `must be at most ${MAX_LENGTH} characters`)
    .superRefine((value, context) => {
      const problem = urlProblem(value, protocols, expected);
      if (problem !== null) context.addIssue(problem);
    });
}

function urlProblem(value: string, protocols: string[], expected: string): string | null {
  if (/[\s\p{Cc}\p{Cs}]/u.test(value)) return 'must not contain spaces or control characters';
  if (isRedacted(value))
    return `has ${REDACTED} in place of a secret, as this service returns it: leave the field out to keep what is stored, or send the URL with its secret (a literal ${REDACTED} as %2A%2A%2A)`;
  if (hasStrayAt(value))
    return 'has "@" after the host: percent-encode reserved characters in the password (/ as %2F, ? as %3F, # as %23, @ as %40)';
  if (!URL.canParse(value)) return `must be a URL that starts with ${expected}`;
  const { protocol, hostname } = new URL(value);
  return protocols.includes(protocol) && hostname !== ''
    ? null
    : `must be a URL that starts with ${expected}`;
}
