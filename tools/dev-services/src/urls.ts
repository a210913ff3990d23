import { startPostgres } from './postgres/start-postgres.js';
import { startRedis } from './redis/start-redis.js';

/** A server to use: an existing one, or one started for this process. */
export interface ServiceUrl {
  url: string;
  /** `'environment'`: an existing server; `stop()` does nothing. `'started'`: a private one. */
  origin: 'environment' | 'started';
  stop(): Promise<void>;
}

/**
 * The Redis of REDIS_URL if set, else a private one.
 * @throws NoRedisError
 */
export async function redisUrl(notify?: (message: string) => void): Promise<ServiceUrl> {
  return given(process.env.REDIS_URL) ?? started(await startRedis(notify ? { notify } : {}));
}

/**
 * The database of DATABASE_URL if set, else the database `postgres` of a private server.
 * @throws NoPostgresError
 */
export async function databaseUrl(): Promise<ServiceUrl> {
  return given(process.env.DATABASE_URL) ?? started(await startPostgres());
}

const given = (url: string | undefined): ServiceUrl | null =>
  url ? { url, origin: 'environment', stop: async () => undefined } : null;

const started = (service: { url: string; stop(): Promise<void> }): ServiceUrl => ({
  url: service.url,
  origin: 'started',
  stop: () => service.stop(),
});
