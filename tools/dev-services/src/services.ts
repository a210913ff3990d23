import { createDatabase, dropDatabase } from './postgres/create-database.js';
import { startPostgres } from './postgres/start-postgres.js';
import { startRedis } from './redis/start-redis.js';

/** A server or a database, for as long as it is needed. */
export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The Redis at `url`, which `stop()` leaves running; without a URL a private one.
 * @param notify called before a download
 * @throws ProgramUnavailableError
 */
export async function redisAt(url: string | undefined, notify?: (message: string) => void): Promise<Service> {
  return url === undefined ? startRedis(notify && { notify }) : { url, stop: async () => undefined };
}

/**
 * A new database on the Postgres server at `server`; without a URL on a private one. `stop()` removes it.
 * @throws ProgramUnavailableError
 */
export async function newDatabase(server: string | undefined, name: string): Promise<Service> {
  if (server !== undefined)
    return { url: await createDatabase(server, name), stop: () => dropDatabase(server, name) };
  const postgres = await startPostgres();
  return { url: await postgres.createDatabase(name), stop: () => postgres.stop() };
}
