import { MAX_TIMER } from '@detector-cluster/election/internal';
import type { Socket } from 'node:net';

/** Certificates of a member, in PEM. Both ends present theirs and trust certificates that `ca` has signed. */
export interface GroupTls {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
  readonly ca: string | Buffer;
}

/** Options of a member's transport and its security. */
export interface WsTransportOptions {
  /** `host:port` at which the other members reach this one. With port 0 the system picks a free one. */
  readonly internalAddress: string;
  /** The address to listen on, if it differs from `internalAddress`, as in a container or behind a proxy. */
  readonly listen?: { readonly host?: string; readonly port: number };
  /** Shared by all members, at least 16 characters; signs every message. With `false`, any client that reaches the port can join. */
  readonly secret: string | false;
  /** With `false`, others on the network can read the messages. */
  readonly tls: GroupTls | false;
  /** Maximum length of an accepted frame. Bytes; default 1 MiB. */
  readonly maxPayload?: number;
  /** Number of invalid frames after which a connection is closed. Default 5. */
  readonly abuseLimit?: number;
  /** A connection without incoming frames is closed after this time. Milliseconds; default 15,000. */
  readonly idleTimeout?: number;
  /** How long opening a connection may take. Milliseconds; default 2,000. */
  readonly dialTimeout?: number;
  /** Opens the socket to another member, for proxies and tests. Not allowed with `tls`. */
  readonly dial?: (host: string, port: number) => Socket;
}

export type ResolvedWsOptions = Required<Omit<WsTransportOptions, 'dial' | 'listen'>> &
  Pick<WsTransportOptions, 'dial' | 'listen'>;

/** Fills in the defaults; `options` has every option. `problems` has one sentence for each problem. */
export function examineWsOptions(raw: WsTransportOptions): {
  options: ResolvedWsOptions;
  problems: string[];
} {
  const problems: string[] = [];
  if (!parseAddress(raw.internalAddress))
    problems.push(
      `internalAddress must be host:port at which other members reach this one, such as 10.0.0.7:7400, not ${JSON.stringify(raw.internalAddress)}`,
    );
  const { secret, tls } = raw;
  if (secret === undefined)
    problems.push('secret must be set to the same text in all members; secret: false leaves the group open');
  else if (secret !== false && (typeof secret !== 'string' || secret.length < 16))
    problems.push('secret must have at least 16 characters, or be false to leave the group open');
  if (tls === undefined)
    problems.push('tls must be { key, cert, ca } in PEM; tls: false lets messages travel readable');
  else if (tls !== false)
    for (const part of ['key', 'cert', 'ca'] as const)
      if (!tls?.[part]) problems.push(`tls.${part} must be PEM`);
  if (raw.dial && tls) problems.push('dial cannot be combined with tls');
  const whole = (name: string, value: unknown, least: number) => {
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > MAX_TIMER)
      problems.push(`${name} must be a whole number from ${least} to ${MAX_TIMER}, not ${String(value)}`);
  };
  const { maxPayload = 2 ** 20, abuseLimit = 5, idleTimeout = 15_000, dialTimeout = 2_000 } = raw;
  whole('maxPayload', maxPayload, 4_096);
  whole('abuseLimit', abuseLimit, 1);
  whole('idleTimeout', idleTimeout, 100);
  whole('dialTimeout', dialTimeout, 10);
  if (raw.listen) whole('listen.port', raw.listen.port, 0);
  return {
    options: {
      internalAddress: raw.internalAddress,
      listen: raw.listen,
      secret: secret ?? false,
      tls: tls ?? false,
      maxPayload,
      abuseLimit,
      idleTimeout,
      dialTimeout,
      dial: raw.dial,
    },
    problems,
  };
}

/** Parses `host:port`; `null` when the text is invalid. */
export function parseAddress(address: unknown): { host: string; port: number } | null {
  const match =
    typeof address === 'string' ? /^(\[[0-9a-fA-F:.]+\]|[^\s:/@?#]+):(\d{1,5})$/.exec(address) : null;
  if (!match) return null;
  const port = Number(match[2]);
  return port <= 65_535 ? { host: match[1]!.replace(/^\[|\]$/g, ''), port } : null;
}
