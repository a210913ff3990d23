import { ProblemException } from './problem.exception.js';
import type { ProblemIssue } from './problem.js';

/** The cause of a 503: the part that is unavailable, and its error. */
export interface Unavailability {
  readonly service: 'database' | 'redis' | 'cluster';
  readonly detail: string;
  /** Stable name of the error. */
  readonly code?: string;
}

/** Seconds after which a client may try again while a dependency is unavailable. */
const RETRY_AFTER = '2';

/** Most issues that one answer lists. */
const MOST_ISSUES = 100;

/** The problems that this service can answer with. */
export const problems = {
  notFound: (detail: string) =>
    new ProblemException('not-found', { title: 'Not found', status: 404, detail }),

  validation: (errors: ProblemIssue[]) =>
    new ProblemException('validation', {
      title: 'The request is not valid',
      status: 422,
      detail: summaryOf(errors.length),
      errors: errors.slice(0, MOST_ISSUES),
    }),

  conflict: (errors: ProblemIssue[]) =>
    new ProblemException('conflict', {
      title: 'Conflict with what is stored',
      status: 409,
      detail: errors.map((error) => error.detail).join('; '),
      errors,
    }),

  /** Somebody was faster. */
  superseded: (detail: string, code: string) =>
    new ProblemException('superseded', { title: 'Superseded', status: 409, detail, code }),

  unauthorized: () =>
    new ProblemException(
      'unauthorized',
      {
        title: 'Unauthorized',
        status: 401,
        detail: 'the API key is missing or wrong: send it as x-api-key, or as authorization: Bearer',
        errors: [{ parameter: 'x-api-key', detail: 'must be a key of this service' }],
      },
      { 'www-authenticate': 'ApiKey, Bearer' },
    ),

  forbidden: (detail: string) =>
    new ProblemException('forbidden', { title: 'Forbidden', status: 403, detail }),

  tooManyRequests: (limit: number, window: number) =>
    new ProblemException('too-many-requests', {
      title: 'Too many requests',
      status: 429,
      detail: `more than ${limit} requests within ${window} s came from this address: wait, or raise RATE_LIMIT`,
    }),

  misdirected: (detail: string) =>
    new ProblemException('misdirected', { title: 'Misdirected request', status: 421, detail }),

  unsupportedMediaType: (detail: string) =>
    new ProblemException('unsupported-media-type', { title: 'Unsupported media type', status: 415, detail }),

  unavailable: ({ service, detail, code }: Unavailability, cause?: unknown) =>
    new ProblemException(
      'unavailable',
      {
        title: 'Service unavailable',
        status: 503,
        detail,
        reason: `${service}-unavailable`,
        ...(code !== undefined && { code }),
      },
      { 'retry-after': RETRY_AFTER },
      { cause },
    ),
} as const;

function summaryOf(issues: number): string {
  if (issues === 1) return '1 problem, see errors';
  return issues > MOST_ISSUES
    ? `${issues} problems, the first ${MOST_ISSUES} are in errors`
    : `${issues} problems, see errors`;
}
