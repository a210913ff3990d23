import pg from 'pg';
import { withTimeout } from '../../lease/bounded.js';
import { systemClock } from '../../util/clock.js';
import { isDirect } from '../../util/pooler.js';
import { readPostgresUrl } from '../../util/read-postgres-url.js';

/** What to do about a refusal, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  UNREACHABLE: 'check host and port of `postgres`',
  CERTIFICATE: 'check `ssl`',
  '25006': 'this server is a standby; name the primary',
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
function toPostgresError(error: unknown): PostgresError {
  if (error instanceof PostgresError) return error;
  const { message, code = '' } = error as Error & { code?: string };
  if (/^[0-9A-Z]{5}$/.test(code)) return new PostgresError(code, message, error);
  if (message === 'Query read timeout') return new PostgresError('TIMEOUT', 'no answer in time', error);
  if (UNREACHABLE.test(`${code} ${message}`)) return new PostgresError('UNREACHABLE', message || code, error);
  if (CERTIFICATE.test(`${code} ${message}`)) return new PostgresError('CERTIFICATE', message, error);
  return new PostgresError('CONNECTION_LOST', message, error);
}

/** Address and user of a database. Missing settings come from the environment, `PGHOST` and so on. */
export interface PostgresAddress {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  /** Or where to get it: asked at every connection. */
  readonly password?: string | (() => string | Promise<string>);
  readonly database?: string;
  /** `true`, or the options of `tls.connect`. */
  readonly ssl?: boolean | object;
  /** As the server's list of sessions shows it. Default `election`. */
  readonly application_name?: string;
}

/** A URL, or its parts as `pg.Client` takes them. */
export type PostgresSource = string | PostgresAddress;

/** What a source says. @throws PostgresUrlError */
export function readSource(source: PostgresSource) {
  const { connectionString, ...parts } = typeof source === 'string' ? { connectionString: source } : source;
  if (connectionString === undefined)
    return { options: parts, begin: async () => undefined, schema: undefined };
  const { client, begin, schema } = readPostgresUrl(connectionString);
  return { options: { ...parts, ...client }, begin, schema };
}

export interface Notified {
  /** Payload of a notification on the channel. */
  message(payload: string): void;
  /** A connection is listening: something may have been missed before. */
  listening(): void;
  /** It broke. */
  broken(error: Error): void;
}

/** Upper limit for the time that an attempt to connect may take. Milliseconds. */
const MAX_ATTEMPT = 10_000;

/**
 * One connection, which runs statements one after another and listens to a channel. When it breaks, or does not answer in time, it
 * is closed, and the next statement makes another.
 *
 * A statement waits for a connection for `commandTimeout`. The attempt to connect continues after that, and may take twice as long
 * after each attempt that took too long. Otherwise many candidates that connect at the same time would keep a slow server
 * busy with attempts that all end before they succeed.
 */
export class PostgresConnection {
  private client: pg.Client | undefined;
  private opened: Promise<pg.Client> | undefined;
  private closed = false;
  private notified: Notified | undefined;
  /** How long the next attempt to connect may take. Milliseconds. */
  private attempt: number;

  /** @param channel An identifier. */
  constructor(
    private readonly source: PostgresSource,
    private readonly commandTimeout: number,
    private readonly channel: string,
  ) {
    this.attempt = commandTimeout;
  }

  /** @returns what ends it. */
  listen(notified: Notified): () => void {
    this.notified = notified;
    return () => (this.notified = undefined);
  }

  /** @throws PostgresError */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = await this.connected();
    try {
      const { rows } = await client.query<Row>({ text, values });
      return rows;
    } catch (error) {
      const failure = toPostgresError(error);
      // What the server has refused leaves the connection as it was; class 57 is a server that ends.
      if (!/^[0-9A-Z]{5}$/.test(failure.code) || /^(57|08|25006)/.test(failure.code)) this.drop(client);
      throw failure;
    }
  }

  close(): void {
    this.closed = true;
    if (this.client) this.drop(this.client);
  }

  private async connected(): Promise<pg.Client> {
    const opened = (this.opened ??= this.open());
    try {
      return await withTimeout(opened, this.commandTimeout, systemClock, () => new Error('timeout expired'));
    } catch (error) {
      throw toPostgresError(error);
    }
  }

  private async open(): Promise<pg.Client> {
    if (this.closed) throw new Error('the connection was closed');
    const { options, begin } = readSource(this.source);
    const client = new pg.Client({
      application_name: 'election',
      ...options,
      keepAlive: true,
      connectionTimeoutMillis: this.attempt,
      query_timeout: this.commandTimeout,
    });
    this.client = client;
    let listening = false;
    const gone = (error: Error) => {
      if (this.forget(client) && listening && !this.closed) this.notified?.broken(toPostgresError(error));
    };
    client.on('error', gone);
    client.on('end', () => gone(new Error('the connection was closed by the server')));
    client.on('notification', ({ payload = '' }) => this.notified?.message(payload));
    const begun = performance.now();
    try {
      await client.connect();
      await begin(client);
      // A pooler would give the session to other clients, and its news with it.
      if (await isDirect(client)) await client.query(`LISTEN ${pg.escapeIdentifier(this.channel)}`);
    } catch (error) {
      if (performance.now() - begun >= this.attempt)
        this.attempt = Math.max(this.commandTimeout, Math.min(2 * this.attempt, MAX_ATTEMPT));
      // After any refusal (too many connections, a wrong password), the next attempt may succeed.
      this.drop(client);
      throw error;
    }
    this.attempt = this.commandTimeout;
    listening = true;
    this.notified?.listening();
    return client;
  }

  /** @returns whether it was the connection in use. */
  private forget(client: pg.Client): boolean {
    if (this.client !== client) return false;
    this.client = undefined;
    this.opened = undefined;
    return true;
  }

  private drop(client: pg.Client): void {
    this.forget(client);
    destroy(client);
  }
}

/** At once: a server that hangs would not take leave either. */
function destroy(client: pg.Client): void {
  client.on('error', () => undefined);
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
