import { systemClock } from '@detector-cluster/election';
import { requireDirect, toError } from '@detector-cluster/election/internal';
import { bounded } from '@detector-cluster/election/lease';

/** The part of a client of `pg` that the feed uses. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { channel: string; payload?: string }) => void): unknown;
  release(destroy?: boolean): void;
}

/** The part of a pool of `pg` that the feed uses. */
export interface PgPool {
  connect(): Promise<PgClient>;
}

/** Throws a `TypeError` unless the value is a pool. */
export function requirePool(pool: unknown): asserts pool is PgPool {
  if (typeof (pool as PgPool | null | undefined)?.connect !== 'function')
    throw new TypeError("pool must be a pool of 'pg', e.g. new Pool({ connectionString })");
}

/** Minimum timeout: on a busy machine the server is slow to start the process of a new session. Milliseconds. */
const MIN_TIMEOUT = 1_000;

const NEEDS_DIRECT =
  'the pool leads through a pooler such as PgBouncer, behind which no notification arrives: give the feed a pool with a direct address';

/**
 * One client of a pool, replaced when it fails. A client that does not answer in time is discarded, because a dead connection can
 * stay silent for minutes.
 */
export class PostgresSession {
  private client: PgClient | undefined;
  private connecting: Promise<PgClient> | undefined;
  private closed = true;
  /** Called when the listening client is lost. */
  private lost: ((error: Error) => void) | undefined;
  private readonly timeout: number;

  /** @param timeout Timeout of each call; at least 1 s. Milliseconds. */
  constructor(
    private readonly pool: PgPool,
    timeout: number,
    private readonly heard: (channel: string, payload: string) => void,
  ) {
    this.timeout = Math.max(timeout, MIN_TIMEOUT);
  }

  async open(): Promise<void> {
    this.closed = false;
    await this.connect();
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = await this.connect();
    try {
      const { rows } = await bounded('Postgres', this.timeout, systemClock, client.query(text, values));
      return rows as Row[];
    } catch (error) {
      // The server has answered if the error has a code.
      if (!isAnswer(error)) this.discard(client, toError(error));
      throw error;
    }
  }

  /** Sends a LISTEN. Calls `lost` once when the session can no longer receive notifications. */
  async listen(text: string, lost: (error: Error) => void): Promise<void> {
    await this.query(text);
    this.lost = lost;
  }

  /** No longer reports a loss. */
  mute(): void {
    this.lost = undefined;
  }

  close(): void {
    this.closed = true;
    this.lost = undefined;
    const client = this.client;
    this.client = undefined;
    client?.release(true);
  }

  private async connect(): Promise<PgClient> {
    if (this.closed) throw new Error('the connection to Postgres is closed');
    if (this.client) return this.client;
    this.connecting ??= this.dial().finally(() => (this.connecting = undefined));
    return bounded('Postgres', this.timeout, systemClock, this.connecting);
  }

  private async dial(): Promise<PgClient> {
    const client = await this.pool.connect();
    const failed = (error: Error) => this.discard(client, error);
    client.on('error', failed);
    client.on('end', () => failed(new Error('the connection to Postgres was closed')));
    client.on('notification', ({ channel, payload }) => {
      if (client === this.client) this.heard(channel, payload ?? '');
    });
    try {
      await bounded('Postgres', this.timeout, systemClock, requireDirect(client, NEEDS_DIRECT));
      if (this.closed) throw new Error('the connection to Postgres is closed');
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.client = client;
    return client;
  }

  private discard(client: PgClient, error: Error): void {
    if (client !== this.client) return;
    this.client = undefined;
    client.release(true);
    const { lost } = this;
    this.lost = undefined;
    lost?.(error);
  }
}

function isAnswer(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // Class 57P: the server shuts down or has ended the session.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57P');
}
