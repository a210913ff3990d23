/** This process has left the cluster, or has not joined it yet. */
export class ElectionStoppedError extends Error {
  override readonly name = 'ElectionStoppedError';
  readonly code = 'ELECTION_STOPPED';

  constructor() {
    super('this process does not take part in the election: it has been stopped, or was not started');
  }
}
