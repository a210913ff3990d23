import { tempDirectory } from '../support/temp-directory.js';
import { Guard } from './guard.js';
import type { GuardedServer } from './guarded-server.js';
import { ServerProcess } from './server-process.js';
import type { ServerRecipe } from './server-process.js';
import { ServerStartError } from './server-start.error.js';

/** One attempt to start, on ports that seemed free. */
export interface GuardedAttempt extends Pick<ServerRecipe, 'command' | 'ready'> {
  port: number;
  url: string;
}

const ATTEMPTS = 5;

/**
 * Starts a server under a guard. If another program has taken a port, it calls `prepare` again.
 * @throws ServerStartError
 */
export async function startGuarded(
  name: string,
  prepare: (directory: string) => Promise<GuardedAttempt>,
): Promise<GuardedServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(name, prepare);
    } catch (error) {
      if (!(error instanceof ServerStartError && error.portTaken) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function launch(
  name: string,
  prepare: (directory: string) => Promise<GuardedAttempt>,
): Promise<GuardedServer> {
  const directory = await tempDirectory(name);
  const guard = new Guard({ directory, stopSignal: 'KILL', timeout: 3_000 });
  try {
    const { url, port, command, ready } = await prepare(directory);
    const server = new ServerProcess(guard, {
      name,
      directory,
      command,
      ready,
      crashSignal: 'KILL',
      forks: false,
    });
    await server.start();
    return {
      url,
      host: '127.0.0.1',
      port,
      directory,
      get pid() {
        return server.pid;
      },
      kill: (signal = 'SIGKILL') => server.kill(signal),
      start: () => server.start(),
      restart: (options) => server.restart(options),
      pause: () => server.pause(),
      resume: () => server.resume(),
      stop: () => server.stop(),
    };
  } catch (error) {
    await guard.close();
    throw error;
  }
}
