import { certificateProblem } from '@detector-cluster/election/internal';

/** The master cannot dial any worker. */
export const NO_DESCRIPTOR =
  'the master has no free file descriptor: it has as many files and connections open as its limit allows (ulimit -n)';

/** Refusals of the operating system and of the resolver, by `code`. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused: no program listens there',
  ECONNRESET: 'the connection was closed before it was a WebSocket',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ETIMEDOUT: 'its host does not answer',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved: the name server does not answer',
  FORBIDDEN_ADDRESS: 'its address is not allowed',
  EMFILE: NO_DESCRIPTOR,
  EPROTO: 'it does not speak TLS as expected',
};

const STATUS = /^Unexpected server response: (\d{3})$/;
const HINTS: Readonly<Record<string, string>> = {
  '400': 'it does not take the request for an upgrade',
  '401': 'it wants other credentials',
  '403': 'it does not allow this master',
  '404': 'there is no WebSocket at this path',
  '409': 'it knows a master with a higher term',
  '426': 'it wants another protocol',
  '502': 'a proxy does not reach it',
  '503': 'it is shutting down, or a proxy does not reach it',
  '504': 'a proxy does not reach it',
};

/**
 * Why a dial has failed, for people.
 * @param accepted whether the TCP connection was open
 */
export function dialProblem(error: Error & { code?: unknown }, accepted: boolean): string {
  const status = STATUS.exec(error.message)?.[1];
  if (status !== undefined) {
    const hint = HINTS[status] ?? (status.startsWith('3') ? 'redirections are not followed' : undefined);
    return `refuses the upgrade with HTTP ${status}${hint === undefined ? '' : `: ${hint}`}`;
  }
  if (error.message === 'Opening handshake has timed out')
    return accepted
      ? 'upgrade hangs: it accepts the connection and does not answer'
      : 'its host does not answer';
  const code = typeof error.code === 'string' ? error.code : '';
  const cause =
    CAUSES[code] ??
    certificateProblem(error) ??
    (code.startsWith('ERR_SSL_')
      ? CAUSES.EPROTO
      : code.startsWith('HPE_')
        ? 'it does not speak HTTP'
        : undefined);
  // The message of an unlisted error says more than its code.
  return cause === undefined ? error.message : `${cause} (${code})`;
}
