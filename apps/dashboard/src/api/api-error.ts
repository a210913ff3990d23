import { asSentence } from '../wording/as-sentence.js';

/** One problem of a request. */
export interface ApiIssue {
  /** JSON pointer into the body without the leading `#/`, or the name of a parameter; empty: the request as a whole. */
  readonly place: string;
  readonly detail: string;
}

/** A failed call of the service. The message is for people and holds all known details. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** HTTP status; 0: the service did not answer. */
    readonly status: number,
    /** What is wrong, and where. */
    readonly issues: readonly ApiIssue[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** The error as a sentence for people. */
export function messageOf(error: unknown): string {
  return asSentence(error instanceof Error ? error.message : String(error));
}

/** Problem details (RFC 9457) as one text for people. For any other body, the text depends on the status only. */
export function problemText(status: number, body: unknown): string {
  if (!isRecord(body)) return `the service answered with status ${status}`;
  const title = textOf(body.title) ?? `Status ${status}`;
  const issues = problemIssues(body).map(({ place, detail }) => (place ? `${place} ${detail}` : detail));
  const detail = issues.length > 0 ? issues.join('; ') : textOf(body.detail);
  return detail === null || detail === title ? title : `${title}: ${detail}`;
}

/** What is wrong, and where. */
export function problemIssues(body: unknown): ApiIssue[] {
  return isRecord(body) && Array.isArray(body.errors) ? body.errors.flatMap(issueOf) : [];
}

function issueOf(issue: unknown): ApiIssue[] {
  if (!isRecord(issue)) return [];
  const place = textOf(issue.pointer)?.replace(/^#\/?/, '') ?? textOf(issue.parameter) ?? '';
  const detail = textOf(issue.detail);
  return detail === null ? [] : [{ place, detail }];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
