import { systemClock } from '@detector-cluster/election';
import type { Connection, R, RDatum } from 'rethinkdb-ts';
import { bounded } from '@detector-cluster/election/lease';

/** The part of the driver, `r` of `rethinkdb-ts`, that the feed uses. */
export type RethinkDriver = Pick<
  R,
  'connect' | 'db' | 'dbList' | 'dbCreate' | 'expr' | 'now' | 'branch' | 'and' | 'or' | 'not'
>;

/** Options of `r.connect`. */
export type RethinkConnectionOptions = Parameters<R['connect']>[0];

/** A connection that is reopened after a failure, unless the application owns it. */
export class RethinkSession {
  private current: Connection | undefined;
  private connecting: Promise<Connection> | undefined;
  private closed = true;

  /** @param timeout Timeout of each call. Milliseconds. */
  constructor(
    readonly r: RethinkDriver,
    private readonly options: RethinkConnectionOptions,
    private readonly given: Connection | undefined,
    private readonly timeout: number,
  ) {}

  /** Set while the connection is open. */
  get connection(): Connection | undefined {
    return this.current;
  }

  async open(): Promise<void> {
    this.closed = false;
    await this.connect();
  }

  /** @param timeout Default: the timeout of each call. Milliseconds. */
  async run<Result>(query: RDatum, timeout = this.timeout): Promise<Result> {
    const connection = await this.connect();
    try {
      return await this.bounded(query.run(connection) as Promise<Result>, timeout);
    } catch (error) {
      // A dead connection can stay silent for minutes.
      if ((error as { code?: unknown }).code === 'STORE_TIMEOUT') this.discard(connection);
      throw error;
    }
  }

  bounded<Result>(call: Promise<Result>, timeout = this.timeout): Promise<Result> {
    return bounded('RethinkDB', timeout, systemClock, call);
  }

  async connect(): Promise<Connection> {
    if (this.closed) throw new Error('the connection to RethinkDB is closed');
    if (this.current?.open) return this.current;
    this.connecting ??= this.dial().finally(() => (this.connecting = undefined));
    return this.bounded(this.connecting);
  }

  close(): void {
    this.closed = true;
    if (this.current) this.discard(this.current);
  }

  private async dial(): Promise<Connection> {
    if (this.given) {
      if (!this.given.open) await this.given.reconnect();
      this.current = this.given;
      return this.given;
    }
    const timeout = Math.max(1, Math.ceil(this.timeout / 1_000));
    const connection = await this.r.connect({ timeout, silent: true, ...this.options });
    connection.on('error', () => undefined);
    if (this.closed) {
      await connection.close();
      throw new Error('the connection to RethinkDB is closed');
    }
    this.current = connection;
    return connection;
  }

  private discard(connection: Connection): void {
    if (this.current === connection) this.current = undefined;
    if (connection !== this.given) connection.close().catch(() => undefined);
  }
}

const REMEDY = "import { r } from 'rethinkdb-ts'";

/** @throws TypeError unless the value is `r` of `rethinkdb-ts`. */
export function requireDriver(driver: unknown): asserts driver is RethinkDriver {
  const { connect, db } = (driver ?? {}) as Partial<RethinkDriver>;
  if (isRethinkdbdash(driver))
    throw new TypeError(
      `rethinkdbdash is not supported: pass \`r\` of its successor rethinkdb-ts, which has the same queries: ${REMEDY}`,
    );
  if (typeof connect !== 'function' || typeof db !== 'function')
    throw new TypeError(`driver must be \`r\` of 'rethinkdb-ts': ${REMEDY}`);
}

/** The module is a function that creates a driver with a pool. Such a driver is accepted too. */
function isRethinkdbdash(driver: unknown): boolean {
  if (typeof driver !== 'function') return false;
  return !('connect' in driver) || '_poolMaster' in driver;
}
