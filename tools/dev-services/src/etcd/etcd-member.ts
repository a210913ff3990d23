import { join } from 'node:path';
import type { GuardedAttempt } from '../guard/start-guarded.js';
import { etcdReady } from './etcd-ready.js';
import type { EtcdTls } from './etcd-tls.js';

interface EtcdMemberOptions {
  /** Command line of the program. */
  program: readonly string[];
  directory: string;
  name: string;
  /** For clients. */
  port: number;
  peerPort: number;
  /** Peer ports of all members, by name. */
  peers: Readonly<Record<string, number>>;
  tls?: EtcdTls;
  args?: readonly string[];
}

/** How one member of a cluster is started. Members communicate without TLS. */
export function etcdMember(options: EtcdMemberOptions): GuardedAttempt {
  const { program, directory, name, port, peerPort, peers, tls, args = [] } = options;
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const settings = {
    name,
    'data-dir': join(directory, 'data'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl(peerPort),
    'initial-advertise-peer-urls': peerUrl(peerPort),
    'initial-cluster': Object.entries(peers)
      .map(([member, of]) => `${member}=${peerUrl(of)}`)
      .join(','),
    'initial-cluster-token': Object.keys(peers)[0]!,
    ...(tls && { 'cert-file': tls.certificate, 'key-file': tls.key, 'trusted-ca-file': tls.ca }),
  };
  return {
    port,
    url,
    command: [
      ...program,
      ...Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
      ...(tls ? ['--client-cert-auth'] : []),
      ...args,
    ],
    ready: () => etcdReady(port, name, tls),
  };
}

function peerUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}
