import { randomUUID } from 'node:crypto';
import { findProgram } from '../debian/find-program.js';
import { ServerStartError } from '../guard/server-process.js';
import { type GuardedServer, startGuarded } from '../guard/start-guarded.js';
import { freePort } from '../support/free-port.js';
import { startAll } from '../support/start-all.js';
import { etcdMember, type EtcdTls } from './etcd-member.js';

/** A private etcd of several members. */
export interface EtcdClusterService {
  readonly members: readonly GuardedServer[];
  /** URLs of all members, for clients. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

const ATTEMPTS = 3;

/**
 * Starts a private cluster of `size` members. Each is a separate server that can be killed, frozen and started again.
 * @throws ProgramUnavailableError without a server program, ServerStartError if a server does not start.
 */
export async function startEtcdCluster(
  size: number,
  options: StartEtcdOptions = {},
): Promise<EtcdClusterService> {
  const program = await findProgram({ name: 'etcd', package: 'etcd-server' }, options.notify);
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(program, size, options);
    } catch (error) {
      if (!(error instanceof ServerStartError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** A member does not answer before a majority runs. */
async function launch(
  program: readonly string[],
  size: number,
  options: StartEtcdOptions,
): Promise<EtcdClusterService> {
  const token = randomUUID();
  const plan: { name: string; port: number; peerPort: number }[] = [];
  for (let i = 0; i < size; i++)
    plan.push({ name: `member-${i}-${token}`, port: await freePort(), peerPort: await freePort() });
  const peers = Object.fromEntries(plan.map(({ name, peerPort }) => [name, peerPort]));
  const members = await startAll(
    plan.map((member) =>
      startGuarded({ name: 'etcd' }, async (directory) =>
        etcdMember({ ...options, ...member, program, directory, peers }),
      ),
    ),
  );
  return {
    members,
    urls: members.map(({ url }) => url),
    stop: async () => void (await Promise.all(members.map((member) => member.stop()))),
  };
}

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
  return startGuarded({ name: 'etcd' }, async (directory) => {
    const name = `private-${randomUUID()}`;
    const [port, peerPort] = [await freePort(), await freePort()];
    return etcdMember({ program, directory, name, port, peerPort, peers: { [name]: peerPort }, ...options });
  });
}
