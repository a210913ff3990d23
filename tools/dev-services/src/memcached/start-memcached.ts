import { userInfo } from 'node:os';
import { findProgram } from '../debian/find-program.js';
import type { GuardedServer } from '../guard/guarded-server.js';
import { startGuarded } from '../guard/start-guarded.js';
import { freePort } from '../support/free-port.js';
import { memcachedReady } from './memcached-ready.js';

/** Options of {@link startMemcached}. */
export interface StartMemcachedOptions {
  /** More arguments of the server, after ours: `['-m', '8']`. */
  args?: readonly string[];
  /** Called before a download. */
  notify?: (message: string) => void;
}

/**
 * Starts a private memcached, which is empty after a restart. Its URL is `127.0.0.1:<port>`. It ends with this process at the
 * latest, even if this process is killed.
 * @throws ProgramUnavailableError without a server program, ServerStartError if the server does not start.
 */
export async function startMemcached(options: StartMemcachedOptions = {}): Promise<GuardedServer> {
  const program = await findProgram({ name: 'memcached', package: 'memcached' }, options.notify);
  return startGuarded('memcached', async () => {
    const port = await freePort();
    return {
      port,
      url: `127.0.0.1:${port}`,
      // As root, memcached requires an explicit user.
      command: [...program, ...listen(port), '-u', userInfo().username, ...(options.args ?? [])],
      ready: (pid) => memcachedReady(port, pid),
    };
  });
}

const listen = (port: number) => ['-l', '127.0.0.1', '-p', String(port), '-U', '0'];
