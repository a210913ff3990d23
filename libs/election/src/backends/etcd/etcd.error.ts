import { type ServiceError, status } from '@grpc/grpc-js';

/** Why etcd did not execute a call, or cannot be reached. */
export type EtcdErrorCode =
  /** No member answered the call: nothing listens there, or the connection broke. It may have been applied. */
  | 'UNREACHABLE'
  /** No answer came in time. The call may have been applied. */
  | 'TIMEOUT'
  /** The member has no leader, or lost it: the cluster lacks a majority for the moment. */
  | 'NO_LEADER'
  /** A certificate has expired, is not trusted, or is not for this host. */
  | 'CERTIFICATE'
  /** Authentication is on, and none was given. */
  | 'NO_CREDENTIALS'
  | 'WRONG_CREDENTIALS'
  | 'PERMISSION_DENIED'
  /** The data base is full. */
  | 'NO_SPACE'
  /** Anything else that etcd refused. */
  | 'REFUSED';

const REMEDIES: Readonly<Partial<Record<EtcdErrorCode, string>>> = {
  UNREACHABLE: 'check `endpoints`, and whether the members speak TLS: http:// or https://',
  CERTIFICATE: 'check `tls`, and renew what has run out: the files are read again at every attempt',
  NO_CREDENTIALS: 'give `username` and `password`',
  WRONG_CREDENTIALS: 'check `username` and `password`',
  PERMISSION_DENIED:
    'grant a role of this user readwrite on the keys, for an election those below <lockName>/',
  NO_SPACE: 'compact and defragment etcd, then disarm its alarm',
};

/** etcd did not execute a call. The election retries with growing pauses. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';

  /** @param endpoint Of the member that was asked. */
  constructor(
    readonly code: EtcdErrorCode,
    message: string,
    readonly endpoint: string,
    cause?: unknown,
  ) {
    const remedy = REMEDIES[code];
    super(`etcd at ${endpoint}: ${message}${remedy ? ` (${remedy})` : ''}`, { cause });
  }
}

const CERTIFICATE = /certificate|CERT_|SSL|TLS|ALTNAME|self.signed/i;

/** Converts an error of the client library to an `EtcdError`. */
export function toEtcdError(error: unknown, endpoint: string): EtcdError {
  if (error instanceof EtcdError) return error;
  const { code, details, message } = error as Partial<ServiceError>;
  const said = details || message || String(error);
  return new EtcdError(codeOf(code, said), textOf(code, said), endpoint, error);
}

function codeOf(code: status | undefined, said: string): EtcdErrorCode {
  if (/authentication failed|invalid auth token|user name not found/.test(said)) return 'WRONG_CREDENTIALS';
  if (/user name is empty/.test(said)) return 'NO_CREDENTIALS';
  if (/permission denied/.test(said)) return 'PERMISSION_DENIED';
  switch (code) {
    case status.UNAVAILABLE:
      if (/no leader|leader changed|request timed out|not capable|too many requests/.test(said))
        return 'NO_LEADER';
      return CERTIFICATE.test(said) ? 'CERTIFICATE' : 'UNREACHABLE';
    case status.CANCELLED:
    case status.INTERNAL:
      return 'UNREACHABLE';
    case status.DEADLINE_EXCEEDED:
      return 'TIMEOUT';
    case status.UNAUTHENTICATED:
      return 'WRONG_CREDENTIALS';
    case status.PERMISSION_DENIED:
      return 'PERMISSION_DENIED';
    case status.RESOURCE_EXHAUSTED:
      return 'NO_SPACE';
    default:
      return 'REFUSED';
  }
}

/** The library's own texts name its internals; etcd's are plain. */
function textOf(code: status | undefined, said: string): string {
  if (code === status.DEADLINE_EXCEEDED) return 'no answer in time';
  const [, cause] = /Last error: (?:Error: )?(.*?)(?:\. Resolution note.*)?$/s.exec(said) ?? [];
  return (cause ?? said).replace(/^etcdserver: /, '').slice(0, 300);
}
