import { randomUUID } from 'node:crypto';
import { findProgram } from '../debian/find-program.js';
import type { GuardedServer } from '../guard/guarded-server.js';
import { startGuarded } from '../guard/start-guarded.js';
import { freePort } from '../support/free-port.js';
import { etcdMember } from './etcd-member.js';
import type { EtcdTls } from './etcd-tls.js';

/** Options of {@link startEtcd}. */
export interface StartEtcdOptions {
  /** Default: plain text. With it, clients have to show a certificate as well. */
  tls?: EtcdTls;
  /** More arguments of the server, after ours: `['--heartbeat-interval', '50']`. */
  args?: readonly string[];
  /** Told before a download. */
  notify?: (message: string) => void;
}

/**
 * Starts a private etcd of one member; its data survive a restart. Its URL is that for clients, `http://127.0.0.1:<port>`, or
 * `https:` with TLS. It ends with this process at the latest, however this process ends.
 * @throws ProgramUnavailableError when there is none, ServerStartError when it does not come up.
 */
export async function startEtcd(options: StartEtcdOptions = {}): Promise<GuardedServer> {
  const program = await findProgram({ name: 'etcd', package: 'etcd-server' }, options.notify);
  return startGuarded('etcd', async (directory) => {
    const name = `private-${randomUUID()}`;
    const [port, peerPort] = [await freePort(), await freePort()];
    return etcdMember({ program, directory, name, port, peerPort, peers: { [name]: peerPort }, ...options });
  });
}
