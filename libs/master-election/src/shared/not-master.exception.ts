import { ServiceUnavailableException } from '@nestjs/common';

/**
 * Problem details (RFC 9457) of a call that only the master serves.
 * @param masterId the master, as far as this process knows.
 */
export function notMasterProblem(election: string, masterId: string | null) {
  return {
    type: 'urn:master-election:problem:not-master',
    title: 'Not the master',
    status: 503,
    detail:
      masterId === null
        ? 'no process is master at the moment; try again'
        : 'this process is not the master, or may not act as such at the moment; ask the master, or try again',
    code: 'NOT_MASTER',
    election,
    masterId,
  };
}

/** Status 503 with problem details: the process that got the request may not act as master. */
export class NotMasterException extends ServiceUnavailableException {
  readonly code = 'NOT_MASTER';

  /** @param masterId the master, as far as this process knows. */
  constructor(
    readonly election: string,
    readonly masterId: string | null,
  ) {
    super(notMasterProblem(election, masterId));
  }
}
