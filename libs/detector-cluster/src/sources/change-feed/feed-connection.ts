import {
  type PostgresUrl,
  readPostgresUrl,
  requireDirect,
  settlesWithin,
} from '@detector-cluster/election/internal';
import { listenerSettings, type ChangeFeedOptions } from './change-feed-settings.js';
import { changeFeedSql } from './change-feed-sql.js';

/** The problem of the triggers, for people; null if there is none. */
export type InstallationProblem = string | null;

interface ProbeRow {
  readonly fingerprint: string | null;
  readonly missing: readonly string[];
  readonly listening: boolean;
}

const NEEDS_DIRECT =
  'changeFeed.connectionString leads to a pooler such as PgBouncer, behind which no notification arrives: give the direct address of the primary (the reference service takes it from DIRECT_URL)';

/** How long to wait for the server when closing. Milliseconds. */
const GOODBYE = 1_000;

/** One connection that listens, from dialling to its end. */
export class FeedConnection {
  /** Resolves, with the reason, once nothing can arrive any more. */
  readonly ended: Promise<Error>;
  private readonly client: PgClient;
  private readonly sql: { listen: string; probe: string; fingerprint: string };
  private readonly begin: PostgresUrl['begin'];
  private lastError: Error | null = null;

  constructor(pg: PgModule, options: ChangeFeedOptions, onNotification: (payload: string) => void) {
    const { connectionString, ssl, timeout = 5_000 } = options;
    const { inspect, fingerprint, channel } = changeFeedSql(listenerSettings(options));
    this.sql = {
      listen: `listen "${channel.replaceAll('"', '""')}"`,
      probe: `select installed.*, exists (select from pg_listening_channels() c where c = '${channel.replaceAll("'", "''")}') as listening from (${inspect}) as installed`,
      fingerprint,
    };
    const url = readPostgresUrl(connectionString, {
      application_name: 'detector-cluster change feed',
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      keepAlive: true,
    });
    this.begin = url.begin;
    this.client = new pg.Client({ ...url.client, ...(ssl !== undefined && { ssl }) });
    const notify = ({ payload = '' }: { readonly payload?: string }) => onNotification(payload);
    this.client.on('notification', notify as (value: never) => void);
    // `pg` reports a killed session twice, first with the reason. Without a listener the process would end.
    this.client.on('error', (error: Error) => {
      this.lastError ??= error;
    });
    this.ended = new Promise((resolve) => {
      this.client.on('end', () => resolve(this.lastError ?? new Error('the connection was closed')));
    });
  }

  /** Connects and listens: changes committed after it has resolved are announced. */
  async open(): Promise<void> {
    await this.client.connect();
    await this.begin(this.client);
    await requireDirect(this.client, NEEDS_DIRECT);
    await this.client.query(this.sql.listen);
  }

  /** Checks the connection, the `LISTEN` and the triggers. Rejects when the server does not answer or does not listen. */
  async probe(): Promise<InstallationProblem> {
    const [row] = (await this.client.query<ProbeRow>(this.sql.probe)).rows;
    if (!row!.listening) throw new Error('the session does not listen any more');
    if (row!.fingerprint === null) return 'is not installed';
    if (row!.missing.length > 0) return `has no active triggers on ${row!.missing.join(', ')}`;
    return row!.fingerprint === this.sql.fingerprint
      ? null
      : 'is installed with other settings or by another version';
  }

  /** Ends the session; closes the socket if the server does not answer. Never rejects. */
  async close(): Promise<void> {
    await settlesWithin(Promise.race([this.client.end(), this.ended]), GOODBYE);
    this.destroy();
  }

  /** Cuts the connection at once, even with queries in flight. */
  destroy(): void {
    this.client.connection.stream.destroy();
  }
}

/** The part of a `pg` connection that the feed uses; structural, so that applications without a feed do not need its types. */
interface PgClient {
  readonly connection: { readonly stream: { destroy(): unknown } };
  connect(): Promise<unknown>;
  query<Row>(sql: string): Promise<{ readonly rows: Row[] }>;
  on(event: 'error' | 'notification' | 'end', listener: (value: never) => void): unknown;
  end(): Promise<void>;
}

export interface PgModule {
  Client: new (config: Readonly<Record<string, unknown>>) => PgClient;
}

/** The optional package `pg` cannot be loaded, and the option `changeFeed` needs it. */
export class MissingPgError extends Error {
  override readonly name = 'MissingPgError';
  readonly code = 'MISSING_PG';

  constructor(cause: unknown) {
    super(
      `changeFeed: needs the package "pg" (version 8), which cannot be loaded: ${(cause as Error).message}. Run npm install pg, or leave the option out`,
      { cause },
    );
  }
}

/** @throws MissingPgError */
export async function loadPg(load: () => Promise<unknown> = () => import('pg')): Promise<PgModule> {
  try {
    const loaded = (await load()) as { default?: PgModule } & PgModule;
    return loaded.default ?? loaded;
  } catch (error) {
    throw new MissingPgError(error);
  }
}
