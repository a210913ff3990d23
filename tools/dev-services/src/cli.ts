import { startPostgres } from './postgres/start-postgres.js';
import { startRedis } from './redis/start-redis.js';

/** `npm run services`: Redis and Postgres until Ctrl-C; standard output is `NAME=value` lines for `.env` or `eval`. */
async function main(): Promise<void> {
  const [redis, postgres] = await Promise.all([
    startRedis({ notify: (message) => console.error(message) }),
    startPostgres(),
  ]);
  // Before the addresses are printed: their reader may end this process at once.
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  console.error(`${redis.product} ${redis.version} and PostgreSQL ${postgres.version} run until Ctrl-C`);
  console.log(`REDIS_URL=${redis.url}`);
  console.log(`DATABASE_URL=${postgres.url}`);
  // Only waits: the servers end with this process.
  const wait = setInterval(() => undefined, 2 ** 30);
  await ended;
  clearInterval(wait);
  await Promise.all([redis.stop(), postgres.stop()]);
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
