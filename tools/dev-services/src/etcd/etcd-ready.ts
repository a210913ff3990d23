import { readFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { EtcdTls } from './etcd-tls.js';

/**
 * Whether the member of this name answers on the port. The name is compared because another program may have taken the port
 * between the search for a free one and the start. The list of members is read through the leader, so a server that answers
 * also accepts writes.
 */
export async function etcdReady(port: number, name: string, tls?: EtcdTls): Promise<boolean> {
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
