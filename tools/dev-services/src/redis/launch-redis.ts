import { type GuardedServer, startGuarded } from '../support/start-guarded.js';
import { askSocket } from '../support/ask-socket.js';
import { freePort } from '../support/free-port.js';
import type { RedisGeneration, RedisProgram } from './find-redis.js';

/** A private Redis or Valkey server on 127.0.0.1. Its data survive a restart with `persistence` only. */
export interface RedisService extends GuardedServer {
  readonly product: 'redis' | 'valkey';
  readonly version: string;
  readonly generation: RedisGeneration;
  /** PEM of its certificate authority; `undefined` without TLS. */
  readonly ca: string | undefined;
}

/**
 * Whether the server with this process id accepts commands on the port. The process id is compared because another program may
 * have taken the port between the search for a free one and the start. A server that requires a password counts as ready.
 * @param ca PEM of its certificate authority, if it uses TLS
 */
function redisReady(port: number, pid: number, ca: string | undefined): Promise<boolean> {
  return askSocket({
    port,
    tls: ca === undefined ? undefined : { ca },
    question: 'INFO server\r\nPING\r\n',
    judge: (answer) => {
      if (answer.includes('+PONG\r\n')) return answer.includes(`\r\nprocess_id:${pid}\r\n`);
      if (answer.includes('-NOAUTH')) return true;
      return answer.includes('-LOADING') ? false : undefined;
    },
  });
}

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
  const attempt = async (directory: string) => {
    const port = givenPort ?? (await freePort());
    const { args, ca } = await prepare(directory, port);
    authority = ca;
    return {
      port,
      url: `${ca ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
      command: [...program.command, ...args],
      ready: (pid: number) => redisReady(port, pid, ca),
    };
  };
  const server = await startGuarded({ name: product }, attempt, givenPort === undefined ? undefined : 1);
  return Object.assign(server, { ca: authority, product, version, generation });
}
