import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './support/free-port.js';
import { findOnPath } from './support/find-on-path.js';
import { ProgramUnavailableError } from './support/program-unavailable.js';
import { startGuarded, type GuardedServer } from './support/start-guarded.js';

/**
 * Starts a private Alertmanager whose only receiver has no address. It ends with this process at the latest, even if this process is
 * killed.
 * @throws ProgramUnavailableError without a server program, ServerStartError if the server does not start.
 */
export async function startAlertmanager(): Promise<GuardedServer> {
  const program = alertmanagerProgram();
  return startGuarded({ name: 'alertmanager' }, async (directory) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = join(directory, 'alertmanager.yml');
    await writeFile(config, 'route: { receiver: none }\nreceivers: [{ name: none }]\n');
    return {
      port,
      url,
      command: [
        program,
        `--config.file=${config}`,
        `--storage.path=${join(directory, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      ready: () => isReady(url),
    };
  });
}

/** Debian's program reads templates at a fixed path, so it does not run unpacked as those of other packages do. */
function alertmanagerProgram(): string {
  const program = ['prometheus-alertmanager', 'alertmanager'].map((name) => findOnPath(name)).find(Boolean);
  if (program) return program;
  throw new ProgramUnavailableError('prometheus-alertmanager', 'none in PATH', [
    'install it with the package manager: "apt install prometheus-alertmanager", "brew install alertmanager"',
    'unpack a release of Alertmanager and put its folder into PATH',
  ]);
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}
