/** What to do about a refusal, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  UNREACHABLE: 'check host and port of `postgres`',
  CERTIFICATE: 'check `ssl`',
  '25006': 'this server is a standby; name the primary, or set target_session_attrs',
  '28000': 'check user and `pg_hba.conf`',
  '28P01': 'check user and password',
  '3D000': 'create the database, or name another',
  '42501':
    'the user needs SELECT, INSERT and UPDATE on the table of elections, and CREATE where that is missing',
  '53300': 'raise max_connections: each candidate holds one',
};

/** PostgreSQL did not execute a statement, or cannot be reached. The election retries with growing pauses. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';

  constructor(
    /**
     * The SQLSTATE of the reply, or `UNREACHABLE`, `CERTIFICATE`, `TIMEOUT` when no reply came in time, `CONNECTION_LOST` when the
     * connection broke. After the last two the statement may have been applied.
     */
    readonly code: string,
    message: string,
    cause?: unknown,
  ) {
    super(`PostgreSQL: ${message}${code in REMEDIES ? ` (${REMEDIES[code]})` : ''}`, { cause });
  }
}

const UNREACHABLE =
  /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ETIMEDOUT|timeout expired|timeout exceeded/;
const CERTIFICATE = /certificate|self.signed|SSL|ALTNAME/i;

/** Converts an error of the client library to a `PostgresError`. */
export function toPostgresError(error: unknown): PostgresError {
  if (error instanceof PostgresError) return error;
  const { message, code = '' } = error as Error & { code?: string };
  if (/^[0-9A-Z]{5}$/.test(code)) return new PostgresError(code, message, error);
  if (message === 'Query read timeout') return new PostgresError('TIMEOUT', 'no answer in time', error);
  if (UNREACHABLE.test(`${code} ${message}`)) return new PostgresError('UNREACHABLE', message || code, error);
  if (CERTIFICATE.test(`${code} ${message}`)) return new PostgresError('CERTIFICATE', message, error);
  return new PostgresError('CONNECTION_LOST', message, error);
}
