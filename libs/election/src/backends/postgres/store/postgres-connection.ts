import pg from 'pg';
import { toPostgresError } from './postgres.error.js';

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

export interface Notified {
  /** Payload of a notification on the channel. */
  message(payload: string): void;
  /** A connection is listening: something may have been missed before. */
  listening(): void;
  /** It broke. */
  broken(error: Error): void;
}

/**
 * One connection, which runs statements one after another and listens to a channel. When it breaks, or does not answer in time, it
 * is closed, and the next statement makes another.
 */
export class PostgresConnection {
  private opened: Promise<pg.Client> | undefined;
  private closed = false;
  private notified: Notified | undefined;

  /** @param channel An identifier. */
  constructor(
    private readonly source: PostgresSource,
    private readonly commandTimeout: number,
    private readonly channel: string,
  ) {}

  /** @returns what ends it. */
  listen(notified: Notified): () => void {
    this.notified = notified;
    return () => (this.notified = undefined);
  }

  /** @throws PostgresError */
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const opened = (this.opened ??= this.open());
    const client = await opened.catch((error: unknown) => {
      // After any refusal (too many connections, a wrong password), the next attempt may succeed.
      this.drop(opened);
      throw toPostgresError(error);
    });
    try {
      const { rows } = await client.query<Row>({ text, values: [...values] });
      return rows;
    } catch (error) {
      const failure = toPostgresError(error);
      // What the server has refused leaves the connection as it was; class 57 is a server that ends.
      if (!/^[0-9A-Z]{5}$/.test(failure.code) || /^(57|08|25006)/.test(failure.code)) this.drop(opened);
      throw failure;
    }
  }

  close(): void {
    this.closed = true;
    if (this.opened) this.drop(this.opened);
  }

  private async open(): Promise<pg.Client> {
    if (this.closed) throw new Error('the connection was closed');
    const given = typeof this.source === 'string' ? { connectionString: this.source } : this.source;
    const client = new pg.Client({
      application_name: 'election',
      ...given,
      keepAlive: true,
      connectionTimeoutMillis: this.commandTimeout,
      query_timeout: this.commandTimeout,
    });
    const gone = (error: Error) => {
      if (this.closed || !this.forget(client)) return;
      this.notified?.broken(toPostgresError(error));
    };
    client.on('error', gone);
    client.on('end', () => gone(new Error('the connection was closed by the server')));
    client.on('notification', ({ payload = '' }) => this.notified?.message(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${pg.escapeIdentifier(this.channel)}`);
    } catch (error) {
      destroy(client);
      throw error;
    }
    this.live = client;
    if (this.closed) destroy(client);
    else this.notified?.listening();
    return client;
  }

  private live: pg.Client | undefined;

  /** @returns whether it was the connection in use. */
  private forget(client: pg.Client): boolean {
    if (this.live !== client) return false;
    this.live = undefined;
    this.opened = undefined;
    return true;
  }

  private drop(opened: Promise<pg.Client>): void {
    if (this.opened === opened) this.opened = undefined;
    opened.then(
      (client) => {
        this.forget(client);
        destroy(client);
      },
      () => undefined,
    );
  }
}

/** At once: a server that hangs would not take leave either. */
function destroy(client: pg.Client): void {
  client.on('error', () => undefined);
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
