import { startGuarded } from '../guard/start-guarded.js';
import { freePort } from '../support/free-port.js';
import type { RedisProgram } from './program/find-redis.js';
import { redisReady } from './redis-ready.js';
import type { RedisService } from './redis-service.js';

/** One attempt to start a server. */
export interface RedisAttempt {
  /** Arguments after the program's name. */
  readonly args: readonly string[];
  /** PEM of its certificate authority, if it uses TLS. */
  readonly ca?: string | undefined;
}

/**
 * Runs a server or a sentinel under a guard, on a free port unless one is given.
 * @throws ServerStartError
 */
export async function launchRedis(
  program: RedisProgram,
  prepare: (directory: string, port: number) => Promise<RedisAttempt>,
  givenPort?: number,
): Promise<RedisService> {
  let authority: string | undefined;
  const { product, version, generation } = program;
  const server = await startGuarded(product, async (directory) => {
    const port = givenPort ?? (await freePort());
    const { args, ca } = await prepare(directory, port);
    authority = ca;
    return {
      port,
      url: `${ca ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
      command: [...program.command, ...args],
      ready: (pid) => redisReady({ port, pid, ca }),
    };
  });
  return Object.assign(server, { ca: authority, product, version, generation });
}
