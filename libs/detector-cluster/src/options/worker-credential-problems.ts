import type { WorkerTls } from '../connection/worker-credentials.js';
import { isLoopback } from '../networks/network-policy.js';
import type { WorkerOption } from './detector-cluster-options.js';

/** What a header can carry without being encoded. */
const TOKEN = /^[\x21-\x7e]+$/;

/** What is wrong with the credentials of one worker, each line beginning with its field. Never repeats a secret. */
export function workerCredentialProblems(worker: Exclude<WorkerOption, string>): string[] {
  const { url, allowInsecureCredentials: allowed = false } = worker;
  const { tls, token }: { tls?: unknown; token?: unknown } = worker;
  const problems: string[] = [];
  const { protocol, username, password } = new URL(url);
  if (token !== undefined) {
    if (typeof token !== 'string' || !TOKEN.test(token))
      problems.push('token: must be printable ASCII without blanks');
    if (username !== '' || password !== '')
      problems.push('token: cannot be combined with a user name in the URL; give one of them');
  }
  const hasCredentials = token !== undefined || username !== '' || password !== '';
  if (typeof allowed !== 'boolean') problems.push('allowInsecureCredentials: must be true or false');
  else if (hasCredentials && protocol === 'ws:' && !allowed && !isLoopback(url))
    problems.push(
      `${token === undefined ? 'url' : 'token'}: credentials over ws:// can be read on the network path: use wss://, or set allowInsecureCredentials`,
    );
  if (tls === undefined) return problems;
  if (typeof tls !== 'object' || tls === null) return [...problems, 'tls: must be an object'];
  if (protocol !== 'wss:') problems.push('tls: needs a wss:// URL');
  const { ca, cert, key, passphrase } = tls as WorkerTls;
  for (const [name, pem] of Object.entries({ ca, cert, key }))
    if (pem !== undefined && !isPem(pem)) problems.push(`tls.${name}: must be PEM, a string or Buffer`);
  if ((cert === undefined) !== (key === undefined))
    problems.push(`tls.${cert === undefined ? 'cert' : 'key'}: is missing; cert and key belong together`);
  if (passphrase !== undefined && typeof passphrase !== 'string')
    problems.push('tls.passphrase: must be a string');
  return problems;
}

function isPem(value: unknown): boolean {
  return (typeof value === 'string' || Buffer.isBuffer(value)) && value.includes('-----BEGIN ');
}
