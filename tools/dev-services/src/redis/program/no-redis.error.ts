import { messageOf } from '../../support/message-of.js';

/** No Redis server is available on this machine. The message names three ways to get one. */
export class NoRedisError extends Error {
  override readonly name = 'NoRedisError';

  constructor(cause: unknown) {
    super(
      [
        'No Redis server: none in PATH, and none could be fetched from the distribution',
        `(${messageOf(cause)}).`,
        'Three ways to get one:',
        '  1. set REDIS_URL to a server that runs, for example REDIS_URL=redis://127.0.0.1:6379',
        '  2. install redis or valkey with the package manager: "apt install redis-server", "brew install redis"',
        '  3. start one in a container: "docker compose up -d redis", then set REDIS_URL',
      ].join('\n'),
      { cause },
    );
  }
}
