/** A server did not start. `log` holds the end of its output. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';

  constructor(
    server: string,
    reason: string,
    readonly log: string,
  ) {
    super(`${server} did not start: ${reason}${log ? `\n${log}` : ''}`);
  }

  /** Another program took the port between the search for a free one and the start. */
  get portTaken(): boolean {
    return /address already in use/i.test(this.log);
  }
}
