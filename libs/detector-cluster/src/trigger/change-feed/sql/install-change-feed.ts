import type { ChangeFeedSettings } from './change-feed-settings.js';
import { changeFeedSql } from './change-feed-sql.js';

/** A Prisma client, or a client or pool of `pg`. */
export type SqlClient =
  { $executeRawUnsafe(sql: string): PromiseLike<unknown> } | { query(sql: string): PromiseLike<unknown> };

const execute = (client: SqlClient, sql: string): PromiseLike<unknown> =>
  '$executeRawUnsafe' in client ? client.$executeRawUnsafe(sql) : client.query(sql);

/**
 * Installs or updates the triggers of the change feed; without effect if they are up to date. Meant for deployments and
 * migrations: it locks the tables briefly, and needs the right to create functions and triggers.
 *
 * @throws InvalidInputError that names the setting; the database's error, e.g. for a table or column that does not exist
 */
export async function installChangeFeed(client: SqlClient, settings?: ChangeFeedSettings): Promise<void> {
  await execute(client, changeFeedSql(settings).install);
}

/** Removes the change feed. Without effect if there is none. */
export async function removeChangeFeed(client: SqlClient, settings?: ChangeFeedSettings): Promise<void> {
  await execute(client, changeFeedSql(settings).remove);
}
