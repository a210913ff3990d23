import { readPostgresUrl, subscriptionTriggers } from '@detector-cluster/detector-cluster/prisma';
import { Global, Module } from '@nestjs/common';
import pg from 'pg';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { DatabaseHealth } from './database-health.js';
import { createPrismaClient, type Database, DATABASE, PRISMA } from './prisma-client.js';
import { RedisHealth } from './redis-health.js';
import { RegenerationTrigger } from './regeneration-trigger.js';
import { SharedRedis } from './shared-redis.js';

/** The error of `pg` after `query_timeout`. */
const READ_TIMEOUT = 'Query read timeout';

/** Event of a {@link BoundedClient}: the server has not answered. */
const UNANSWERED = 'unanswered';

/**
 * A `pg` client that is closed after one of its queries has not been answered for `query_timeout`. A transaction would give such a
 * client back to the pool as usable, and the next user would wait behind the query that hangs.
 */
class BoundedClient extends pg.Client {
  // The overloads of `query` are those of pg. The pool passes a callback, a transaction awaits a promise.
  override query = ((...args: unknown[]): unknown => {
    const run = super.query as (...args: unknown[]) => unknown;
    const callback = args.at(-1);
    if (typeof callback === 'function')
      args[args.length - 1] = (error: unknown, ...result: unknown[]) => {
        this.closeAfter(error);
        (callback as (...args: unknown[]) => void)(error, ...result);
      };
    const result = run.apply(this, args);
    if (result instanceof Promise) result.catch((error: unknown) => this.closeAfter(error));
    return result;
  }) as typeof pg.Client.prototype.query;

  private closeAfter(error: unknown): void {
    if (!(error instanceof Error && error.message === READ_TIMEOUT)) return;
    this.emit(UNANSWERED);
    this.end(() => undefined);
  }
}

/** Time limits of the database, in milliseconds. Together they turn a database that hangs into an error. */
const databaseTimeouts = {
  /** For getting a connection: a new one, or one that another request gives back. */
  connect: 2_000,
  /** For one statement, enforced by the server, except through a pooler. */
  statement: 4_000,
  /** For one statement, enforced by the client, in case the server does not answer at all. */
  answer: 5_000,
  /** For an idle transaction, enforced in the same way. */
  idleTransaction: 10_000,
} as const;

const MAX_CONNECTIONS = 10;

/** The connections of this process to Postgres, and the schema of the tables. Nothing connects before the first query. */
export function openDatabase(databaseUrl: string): Database {
  const { pool: options, schema } = readPostgresUrl(databaseUrl, {
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: databaseTimeouts.connect,
    query_timeout: databaseTimeouts.answer,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'cms-backend',
    session: {
      statement_timeout: String(databaseTimeouts.statement),
      idle_in_transaction_session_timeout: String(databaseTimeouts.idleTransaction),
    },
  });
  const pool = new pg.Pool({ ...options, Client: BoundedClient });
  // Without a listener an error of an idle connection would end the process. The pool has removed the connection, and if the
  // server is unavailable, the next query fails.
  pool.on('error', () => undefined);
  dropIdleAfterSilence(pool);
  return { pool, schema };
}

/**
 * When a server does not answer on one connection, it does not answer on the others either. Without this, a pool would give out one
 * idle connection after the other, and each user would wait for the server again, also after its name has led to another one.
 */
function dropIdleAfterSilence(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  pool.on('release', (error, client) => {
    if (!error) idle.add(client);
  });
  for (const event of ['acquire', 'remove'] as const) pool.on(event, (client) => idle.delete(client));
  pool.on('connect', (client) =>
    client.on(UNANSWERED as 'error', () => {
      // The pool removes an idle connection that has an error.
      for (const each of idle) each.emit('error', new Error(READ_TIMEOUT));
    }),
  );
}

@Global()
@Module({
  providers: [
    {
      provide: DATABASE,
      inject: [APP_CONFIG],
      useFactory: (config: AppConfig) => openDatabase(config.databaseUrl),
    },
    RegenerationTrigger,
    {
      provide: PRISMA,
      inject: [DATABASE, RegenerationTrigger],
      useFactory: async (database: Database, trigger: RegenerationTrigger) => {
        const client = createPrismaClient(database);
        // Loads the query compiler, which blocks the process. Without this, a new master would load it in the takeover.
        await client.$connect();
        return subscriptionTriggers({ trigger })(client);
      },
    },
    DatabaseHealth,
    RedisHealth,
    SharedRedis,
  ],
  exports: [PRISMA, RegenerationTrigger, DatabaseHealth, RedisHealth, SharedRedis],
})
export class StoresModule {}
