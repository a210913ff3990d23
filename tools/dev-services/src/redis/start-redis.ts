import { Guard } from '../guard/guard.js';
import { ServerProcess } from '../guard/server-process.js';
import { ServerStartError } from '../guard/server-start.error.js';
import { freePort } from '../support/free-port.js';
import { tempDirectory } from '../support/temp-directory.js';
import { findRedis } from './find-redis.js';
import type { RedisProgram } from './find-redis.js';
import type { RedisGeneration } from './redis-generation.js';
import { redisReady } from './redis-ready.js';
import type { RedisService } from './redis-service.js';

/** Options of {@link startRedis}. */
export interface StartRedisOptions {
  /** Default `'any'`: what PATH has, else what the distribution has. */
  generation?: RedisGeneration | 'any';
  /** Default: a free one. A port given here is not replaced when it is taken. */
  port?: number;
  /** Append-only file, synced at every write: data survives `restart()` and `kill()`. Default `false`. */
  persistence?: boolean;
  /** More arguments of the server, after ours: `['--maxmemory', '64mb']`. */
  args?: readonly string[];
  /** Told before a download. */
  notify?: (message: string) => void;
}

const ATTEMPTS = 5;

/**
 * Starts a private server. It ends with this process at the latest, however this process ends.
 * @throws NoRedisError when there is none, RedisGenerationUnavailableError when there is none of that generation,
 * ServerStartError when it does not come up.
 */
export async function startRedis(options: StartRedisOptions = {}): Promise<RedisService> {
  const program = await findRedis(options.generation ?? 'any', options.notify);
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(program, options.port ?? (await freePort()), options);
    } catch (error) {
      const retry = error instanceof ServerStartError && error.portTaken && !options.port;
      if (!retry || attempt === ATTEMPTS) throw error;
    }
  }
}

async function launch(
  program: RedisProgram,
  port: number,
  options: StartRedisOptions,
): Promise<RedisService> {
  const directory = await tempDirectory('redis');
  const guard = new Guard({ directory, stopSignal: 'KILL', patience: 3_000 });
  const durable = options.persistence
    ? ['--appendonly', 'yes', '--appendfsync', 'always']
    : ['--appendonly', 'no'];
  const server = new ServerProcess(guard, {
    name: program.product,
    directory,
    command: [
      ...program.command,
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      ...durable,
      ...(options.args ?? []),
    ],
    ready: (pid) => redisReady(port, pid),
    crashSignal: 'KILL',
    forks: false,
  });
  try {
    await server.start();
  } catch (error) {
    await guard.close();
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    product: program.product,
    version: program.version,
    generation: program.generation,
    directory,
    get pid() {
      return server.pid;
    },
    kill: (signal = 'SIGKILL') => server.kill(signal),
    start: () => server.start(),
    restart: (restart) => server.restart(restart),
    pause: () => server.pause(),
    resume: () => server.resume(),
    stop: () => server.stop(),
  };
}
