import type { WorkerTls } from '../connection/worker-credentials.js';

/** What a header can carry without being encoded. */
const TOKEN = /^[\x21-\x7e]+$/;

/** What is wrong with the credentials of one worker, each line beginning with its field. Never repeats a secret. */
export function workerCredentialProblems(url: string, token: unknown, tls: unknown): string[] {
  const problems: string[] = [];
  const { protocol, username, password } = new URL(url);
  if (token !== undefined) {
    if (typeof token !== 'string' || !TOKEN.test(token))
      problems.push('token: must be printable ASCII without blanks');
    if (username !== '' || password !== '')
      problems.push('token: cannot be combined with a user name in the URL; give one of them');
  }
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
