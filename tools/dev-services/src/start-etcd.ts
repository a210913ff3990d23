import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from './debian/find-program.js';
import { ServerStartError } from './support/server-process.js';
import { type GuardedAttempt, type GuardedServer, startGuarded } from './support/start-guarded.js';
import { askSocket } from './support/ask-socket.js';
import { freePort } from './support/free-port.js';
import { startAll } from './support/start-all.js';

/** PEM files of a server with TLS. */
interface EtcdTls {
  /** The authority that verifies the certificates of the server and its clients. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/** Options of {@link startEtcd}. */
interface StartEtcdOptions {
  /** Default: plain text. With TLS, clients must present a certificate too. */
  tls?: EtcdTls;
}

/** A private etcd of several members. */
export interface EtcdClusterService {
  readonly members: readonly GuardedServer[];
  /** URLs of all members, for clients. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts a private etcd of one member; its data survive a restart. Its URL is for clients: `http://127.0.0.1:<port>`, or
 * `https:` with TLS. It ends with this process at the latest, even if this process is killed.
 * @throws ProgramUnavailableError without a server program, ServerStartError if the server does not start.
 */
export async function startEtcd(options: StartEtcdOptions = {}): Promise<GuardedServer> {
  const { members } = await startEtcdCluster(1, options);
  return members[0]!;
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
  const program = await findProgram({ name: 'etcd', package: 'etcd-server' });
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(program, size, options);
    } catch (error) {
      if (!(error instanceof ServerStartError) || attempt === ATTEMPTS) throw error;
    }
  }
}

interface Member {
  readonly name: string;
  /** For clients. */
  readonly port: number;
  readonly peerPort: number;
}

/** A member does not answer before a majority runs. */
async function launch(
  program: readonly string[],
  size: number,
  options: StartEtcdOptions,
): Promise<EtcdClusterService> {
  const token = randomUUID();
  const plan: Member[] = [];
  for (let i = 0; i < size; i++)
    plan.push({ name: `member-${i}-${token}`, port: await freePort(), peerPort: await freePort() });
  const start = (member: Member) =>
    startGuarded({ name: 'etcd' }, (directory) => prepare(program, directory, member, plan, options), 1);
  const members = await startAll(plan.map(start));
  return {
    members,
    urls: members.map(({ url }) => url),
    stop: async () => void (await Promise.all(members.map((member) => member.stop()))),
  };
}

/** How one member of a cluster is started. Members communicate without TLS. */
async function prepare(
  program: readonly string[],
  directory: string,
  { name, port, peerPort }: Member,
  members: readonly Member[],
  { tls }: StartEtcdOptions,
): Promise<GuardedAttempt> {
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const settings = {
    name,
    'data-dir': join(directory, 'data'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl(peerPort),
    'initial-advertise-peer-urls': peerUrl(peerPort),
    'initial-cluster': members.map((each) => `${each.name}=${peerUrl(each.peerPort)}`).join(','),
    'initial-cluster-token': members[0]!.name,
    ...(tls && { 'cert-file': tls.certificate, 'key-file': tls.key, 'trusted-ca-file': tls.ca }),
  };
  // The server's own certificate, because the server may require one from clients.
  const [ca, cert, key] = await Promise.all(
    tls ? [tls.ca, tls.certificate, tls.key].map((file) => readFile(file)) : [],
  );
  return {
    port,
    url,
    command: [
      ...program,
      ...Object.entries(settings).flatMap(([option, value]) => [`--${option}`, value]),
      ...(tls ? ['--client-cert-auth'] : []),
    ],
    // The name is compared because another program may have taken the port between the search for a free one and the start. The
    // list of members is read through the leader, so a server that answers also accepts writes.
    ready: () =>
      askSocket({
        port,
        tls: tls && { ca, cert, key },
        question:
          'POST /v3/cluster/member/list HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
        judge: (answer) => answer.includes(`"name":"${name}"`) || undefined,
      }),
  };
}

function peerUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}
