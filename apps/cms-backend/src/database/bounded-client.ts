import pg from 'pg';

/** What `pg` says when `query_timeout` has passed. */
const READ_TIMEOUT = 'Query read timeout';

/**
 * A `pg` client that is closed once one of its queries went unanswered for `query_timeout`: a transaction hands such a
 * client back to the pool as if it were sound, and the next user would wait behind the query that hangs.
 */
export class BoundedClient extends pg.Client {
  // The overloads of `query` are those of pg; only what a promise form rejects with is looked at.
  override query = ((...args: unknown[]): unknown => {
    const run = super.query as (...args: unknown[]) => unknown;
    const result = run.apply(this, args);
    if (result instanceof Promise) result.catch((error: unknown) => this.closeAfter(error));
    return result;
  }) as typeof pg.Client.prototype.query;

  private closeAfter(error: unknown): void {
    if (error instanceof Error && error.message === READ_TIMEOUT) this.end(() => undefined);
  }
}
