import { userInfo } from 'node:os';
import { findProgram } from './debian/find-program.js';
import { startGuarded, type GuardedServer } from './support/start-guarded.js';
import { askSocket } from './support/ask-socket.js';
import { freePort } from './support/free-port.js';

/**
 * Starts a private memcached, which is empty after a restart. Its URL is `127.0.0.1:<port>`. It ends with this process at the
 * latest, even if this process is killed.
 * @throws ProgramUnavailableError without a server program, ServerStartError if the server does not start.
 */
export async function startMemcached(): Promise<GuardedServer> {
  const program = await findProgram({ name: 'memcached', package: 'memcached' });
  return startGuarded({ name: 'memcached' }, async () => {
    const port = await freePort();
    const listen = ['-l', '127.0.0.1', '-p', String(port), '-U', '0'];
    return {
      port,
      url: `127.0.0.1:${port}`,
      // As root, memcached requires an explicit user.
      command: [...program, ...listen, '-u', userInfo().username],
      ready: (pid) => memcachedReady(port, pid),
    };
  });
}

/** Whether the server with this process id answers on the port, because another program may have taken the port first. */
function memcachedReady(port: number, pid: number): Promise<boolean> {
  return askSocket({
    port,
    question: 'stats\r\n',
    judge: (answer) => (answer.endsWith('END\r\n') ? answer.startsWith(`STAT pid ${pid}\r\n`) : undefined),
  });
}
