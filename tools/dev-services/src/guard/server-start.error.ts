/** A server did not come up. `log` holds the end of its output. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';

  constructor(
    server: string,
    reason: string,
    readonly log: string,
  ) {
    super(`${server} did not start: ${reason}${log ? `\n${log}` : ''}`);
  }

  /** The port was taken between the look for a free one and the start. */
  get portTaken(): boolean {
    return /address already in use/i.test(this.log);
  }
}
