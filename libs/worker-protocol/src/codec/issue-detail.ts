import type { ZodError } from 'zod';

const MAX_LENGTH = 200;

/** The first issues of a failed validation on one line: `data.modelId: Invalid input: expected number…`. */
export function issueDetail(error: ZodError): string {
  const text = error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
