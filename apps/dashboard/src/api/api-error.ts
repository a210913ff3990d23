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
    /** Stable name of the error, e.g. `NO_MASTER`; null: it has none. */
    readonly code: string | null,
    /** What is wrong, and where. */
    readonly issues: readonly ApiIssue[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** The error as a sentence for people. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.charAt(0).toUpperCase() + message.slice(1);
}
