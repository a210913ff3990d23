import { readFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import type { GuardedAttempt } from '../guard/start-guarded.js';

/** PEM files of a server with TLS. */
export interface EtcdTls {
  /** The authority that verifies the certificates of the server and its clients. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/**
 * Whether the member of this name answers on the port. The name is compared because another program may have taken the port
 * between the search for a free one and the start. The list of members is read through the leader, so a server that answers
 * also accepts writes.
 */
async function etcdReady(port: number, name: string, tls?: EtcdTls): Promise<boolean> {
  try {
    const answer = await post(port, '/v3/cluster/member/list', tls);
    const { members } = JSON.parse(answer) as { members?: { name?: string }[] };
    return members?.some((member) => member.name === name) ?? false;
  } catch {
    return false;
  }
}

/** With TLS it presents the server's own certificate, because the server may require one from clients. */
async function post(port: number, path: string, tls?: EtcdTls): Promise<string> {
  const secrets = tls && {
    ca: await readFile(tls.ca, 'utf8'),
    cert: await readFile(tls.certificate, 'utf8'),
    key: await readFile(tls.key, 'utf8'),
  };
  const options = { host: '127.0.0.1', port, path, method: 'POST', signal: AbortSignal.timeout(1_000) };
  return new Promise((resolve, reject) => {
    const request = secrets ? tlsRequest({ ...options, ...secrets }) : plainRequest(options);
    request.once('error', reject);
    request.once('response', (response) => {
      if (response.statusCode === 200) text(response).then(resolve, reject);
      else reject(new Error(`status ${response.statusCode}`));
    });
    request.end('{}');
  });
}

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
