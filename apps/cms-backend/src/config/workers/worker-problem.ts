import { isLoopback } from '@detector-cluster/detector-cluster';
import type { WorkerEntry } from './worker-entry.schema.js';

/** What is wrong with a worker beside the shape of its fields; null when nothing is. Repeats no secret. */
export function workerProblem({ url, token, tls }: WorkerEntry, seen: Set<string>): string | null {
  if (!URL.canParse(url)) return 'must be a URL that starts with ws:// or wss://';
  const { protocol, host, hostname, pathname, search, hash, username, password } = new URL(url);
  if ((protocol !== 'ws:' && protocol !== 'wss:') || hostname === '')
    return 'must be a URL that starts with ws:// or wss://';
  if (!['', '#v1', '#v2'].includes(hash))
    return "must not have a fragment other than #v1 or #v2, the version of the worker's protocol";
  if (token !== undefined && (username !== '' || password !== ''))
    return 'must not have both a token and a user name in its URL; give one of them';
  if (tls !== undefined && protocol !== 'wss:') return 'has tls, which needs a wss:// URL';
  if ((tls?.cert === undefined) !== (tls?.key === undefined))
    return 'must have both tls.cert and tls.key, or neither';
  // Credentials and a final slash do not make it another worker.
  const identity = `${protocol}//${host}${pathname}${search}`.replace(/\/$/, '');
  if (seen.has(identity)) return 'repeats an earlier one';
  seen.add(identity);
  return null;
}

/** Whether credentials would go over `ws://` to another machine, without a word that they may. */
export function isInsecure({ url, token, allowInsecureCredentials }: WorkerEntry): boolean {
  const { protocol, username, password } = new URL(url);
  const hasCredentials = token !== undefined || username !== '' || password !== '';
  return hasCredentials && protocol === 'ws:' && allowInsecureCredentials !== true && !isLoopback(url);
}
