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
  PERMISSION_DENIED: 'grant a role of this user readwrite on the prefix <lockName>/',
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
