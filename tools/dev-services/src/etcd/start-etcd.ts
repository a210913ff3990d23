import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { findProgram } from '../debian/find-program.js';
import type { GuardedServer } from '../guard/guarded-server.js';
import { startGuarded } from '../guard/start-guarded.js';
import { freePort } from '../support/free-port.js';
import { etcdReady } from './etcd-ready.js';

/** Options of {@link startEtcd}. */
export interface StartEtcdOptions {
  /** More arguments of the server, after ours: `['--heartbeat-interval', '50']`. */
  args?: readonly string[];
  /** Told before a download. */
  notify?: (message: string) => void;
}

/**
 * Starts a private etcd of one member; its data survive a restart. Its URL is that for clients, `http://127.0.0.1:<port>`. It
 * ends with this process at the latest, however this process ends.
 * @throws ProgramUnavailableError when there is none, ServerStartError when it does not come up.
 */
export async function startEtcd(options: StartEtcdOptions = {}): Promise<GuardedServer> {
  const program = await findProgram({ name: 'etcd', package: 'etcd-server' }, options.notify);
  return startGuarded('etcd', async (directory) => {
    const name = `private-${randomUUID()}`;
    const [port, peerPort] = [await freePort(), await freePort()];
    const [client, peer] = [port, peerPort].map((each) => `http://127.0.0.1:${each}`) as [string, string];
    const settings = {
      name,
      'data-dir': join(directory, 'data'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `${name}=${peer}`,
    };
    return {
      port,
      url: client,
      command: [
        ...program,
        ...Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
        ...(options.args ?? []),
      ],
      ready: () => etcdReady(port, name),
    };
  });
}
