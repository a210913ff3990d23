import { randomUUID } from 'node:crypto';
import { findProgram } from '../debian/find-program.js';
import type { GuardedServer } from '../guard/guarded-server.js';
import { startGuarded } from '../guard/start-guarded.js';
import { freePort } from '../support/free-port.js';
import { etcdMember } from './etcd-member.js';
import type { EtcdTls } from './etcd-tls.js';

/** Options of {@link startEtcd}. */
export interface StartEtcdOptions {
  /** Default: plain text. With TLS, clients must present a certificate too. */
  tls?: EtcdTls;
  /** More arguments of the server, after ours: `['--heartbeat-interval', '50']`. */
  args?: readonly string[];
  /** Called before a download. */
  notify?: (message: string) => void;
}

/**
 * Starts a private etcd of one member; its data survive a restart. Its URL is for clients: `http://127.0.0.1:<port>`, or
 * `https:` with TLS. It ends with this process at the latest, even if this process is killed.
 * @throws ProgramUnavailableError without a server program, ServerStartError if the server does not start.
 */
export async function startEtcd(options: StartEtcdOptions = {}): Promise<GuardedServer> {
  const program = await findProgram({ name: 'etcd', package: 'etcd-server' }, options.notify);
  return startGuarded('etcd', async (directory) => {
    const name = `private-${randomUUID()}`;
    const [port, peerPort] = [await freePort(), await freePort()];
    return etcdMember({ program, directory, name, port, peerPort, peers: { [name]: peerPort }, ...options });
  });
}
