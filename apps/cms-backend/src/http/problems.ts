import { HttpException } from '@nestjs/common';
import type { Problem, ProblemIssue, Users } from './problem.js';

type Content = Omit<Problem, 'type' | 'instance' | 'title'> & { readonly title?: string };

/** An error that knows its problem details; the filter adds the path of the request. */
export class ProblemException extends HttpException {
  readonly problem: Omit<Problem, 'instance'>;

  /** @param kind last part of the problem's type, e.g. `not-found`; its words are the default title. */
  constructor(
    kind: string,
    content: Content,
    readonly headers: Readonly<Record<string, string>> = {},
    options: { cause?: unknown } = {},
  ) {
    super(content.detail, content.status, options);
    const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('-', ' ')}`;
    this.problem = {
      type: `urn:cms-backend:problem:${kind}`,
      title,
      ...content,
      errors: content.errors?.slice(0, MAX_ISSUES),
    };
  }
}

/** The cause of a 503: the part that is unavailable, and its error. */
export interface Unavailability {
  readonly service: 'database' | 'redis' | 'cluster';
  readonly detail: string;
  /** Stable name of the error. */
  readonly code?: string;
}

/** Seconds after which a client may try again while a dependency is unavailable. */
const RETRY_AFTER = '2';

/** Maximum number of issues in one answer. */
const MAX_ISSUES = 100;

/** The problems that this service can answer with. */
export const problems = {
  notFound: (detail: string) => new ProblemException('not-found', { status: 404, detail }),

  validation: (errors: ProblemIssue[]) =>
    new ProblemException('validation', {
      title: 'The request is not valid',
      status: 422,
      detail: summaryOf(errors.length),
      errors,
    }),

  conflict: (errors: ProblemIssue[]) =>
    new ProblemException('conflict', {
      title: 'Conflict with what is stored',
      status: 409,
      detail: errors.length === 1 ? errors[0]!.detail : summaryOf(errors.length),
      errors,
    }),

  /** Other entries refer to it. */
  inUse: (what: string, usedBy: Users) =>
    new ProblemException('in-use', {
      status: 409,
      detail: `${what} is used by ${usedBy.total === 1 ? '1 entry' : `${usedBy.total} entries`}, see usedBy: change or remove those first, or send detach=true to leave them without it`,
      code: 'IN_USE',
      usedBy,
    }),

  preconditionFailed: (detail: string, errors?: ProblemIssue[]) =>
    new ProblemException('precondition-failed', { status: 412, detail, errors }),

  preconditionRequired: (detail: string, errors: ProblemIssue[]) =>
    new ProblemException('precondition-required', { status: 428, detail, errors }),

  /** @param kind distinguishes a repetition that comes too early from a key that was used for something else */
  idempotencyKey: (kind: 'in-progress' | 'reused') =>
    kind === 'in-progress'
      ? new ProblemException(
          'request-in-progress',
          {
            status: 409,
            detail: 'the first request with this Idempotency-Key is in progress: repeat it later',
            errors: [{ parameter: 'idempotency-key', detail: 'belongs to a request in progress' }],
          },
          { 'retry-after': RETRY_AFTER },
        )
      : new ProblemException('idempotency-key-reused', {
          status: 422,
          detail: 'this Idempotency-Key belongs to another request: use a new key for each request',
          errors: [{ parameter: 'idempotency-key', detail: 'belongs to another method, path or body' }],
        }),

  methodNotAllowed: (method: string, allowed: readonly string[]) =>
    new ProblemException(
      'method-not-allowed',
      { status: 405, detail: `${method} is not possible here; possible: ${allowed.join(', ')}` },
      { allow: allowed.join(', ') },
    ),

  /** Another caller has made the change before. */
  superseded: (detail: string, code: string) =>
    new ProblemException('superseded', { status: 409, detail, code }),

  unauthorized: () =>
    new ProblemException(
      'unauthorized',
      {
        status: 401,
        detail: 'the API key is missing or wrong: send it as x-api-key, or as authorization: Bearer',
        errors: [{ parameter: 'x-api-key', detail: 'must be a key of this service' }],
      },
      { 'www-authenticate': 'ApiKey, Bearer' },
    ),

  forbidden: (detail: string) => new ProblemException('forbidden', { status: 403, detail }),

  tooManyRequests: (limit: number, window: number) =>
    new ProblemException('too-many-requests', {
      status: 429,
      detail: `more than ${limit} requests within ${window} s came from this address: wait, or raise RATE_LIMIT`,
    }),

  misdirected: (detail: string) =>
    new ProblemException('misdirected', { title: 'Misdirected request', status: 421, detail }),

  unsupportedMediaType: (detail: string) =>
    new ProblemException('unsupported-media-type', { status: 415, detail }),

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
  return issues > MAX_ISSUES
    ? `${issues} problems, the first ${MAX_ISSUES} are in errors`
    : `${issues} problems, see errors`;
}
