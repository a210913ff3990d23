import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../debian/find-program.js';
import { freePort } from '../support/free-port.js';
import { startGuarded, type GuardedServer } from '../support/start-guarded.js';

/**
 * Starts a private Alertmanager whose only receiver has no address. It ends with this process at the latest, even if this process is
 * killed.
 * @throws ProgramUnavailableError without a server program, ServerStartError if the server does not start.
 */
export async function startAlertmanager(): Promise<GuardedServer> {
  const name = 'prometheus-alertmanager';
  const program = await findProgram({ name, package: name, programsOnly: true });
  return startGuarded({ name: 'alertmanager' }, async (directory) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = join(directory, 'alertmanager.yml');
    await writeFile(config, 'route: { receiver: none }\nreceivers: [{ name: none }]\n');
    return {
      port,
      url,
      command: [
        ...program,
        `--config.file=${config}`,
        `--storage.path=${join(directory, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      ready: () => isReady(url),
    };
  });
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}
