import { NetworkPolicy } from '@detector-cluster/detector-cluster/validation';
import { signalWithin, toError } from '@detector-cluster/election/internal';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AlertMessage } from './alert-receivers.js';

/** Milliseconds. */
const TIMEOUT = 10_000;

/** Addresses inside a network are allowed, because receivers are often there; those that no receiver has are not. */
export const FORBIDDEN_RECEIVER =
  'must not lead to a link-local, multicast or reserved address, or to a metadata service';

/** @returns whether the host of a URL may be that of a receiver; the addresses of a name are checked when it is connected to */
export function mayReceive(url: string): boolean {
  return NetworkPolicy.default.problemOf(url) === null;
}

/**
 * Resolves when the receiver has answered with success; follows no redirect. Rejects with a text for people that has no part of the URL
 * but its host, because URLs of webhooks are secrets.
 */
export async function postMessage(
  { url, body, headers }: Pick<AlertMessage, 'url' | 'body' | 'headers'>,
  signal: AbortSignal,
  timeout = TIMEOUT,
): Promise<void> {
  const within = signalWithin(timeout, signal);
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  try {
    const status = await new Promise<number>((resolve, reject) => {
      const request = send(
        new URL(url),
        {
          method: 'POST',
          headers: {
            ...headers,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
          lookup: NetworkPolicy.default.lookup,
          agent: false,
          signal: within,
        },
        (response) => {
          resolve(response.statusCode ?? 0);
          response.on('error', () => undefined).destroy();
        },
      );
      request.on('error', reject);
      request.end(body);
    });
    if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
  } catch (error) {
    if (within.aborted && !signal.aborted)
      throw new Error(`it did not answer within ${timeout / 1_000} s`, { cause: error });
    const { message, code } = toError(error) as NodeJS.ErrnoException;
    throw new Error(code === 'FORBIDDEN_ADDRESS' ? `its URL ${FORBIDDEN_RECEIVER}` : message || code, {
      cause: error,
    });
  }
}
