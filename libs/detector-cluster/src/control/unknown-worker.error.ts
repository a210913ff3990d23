/** Enough to spot a typing error, and short enough for a log line. */
const SHOWN = 10;

/** The URL is not that of a configured worker. */
export class UnknownWorkerError extends Error {
  override readonly name = 'UnknownWorkerError';
  readonly code = 'UNKNOWN_WORKER';

  constructor(
    /** The requested URL, without credentials. */
    readonly url: string,
    /** The configured workers, without credentials. */
    configured: readonly string[],
  ) {
    const more = configured.length > SHOWN ? `, and ${configured.length - SHOWN} more` : '';
    super(
      `url: no worker ${url} is configured in this process; ${
        configured.length === 0
          ? 'the option workers is empty'
          : `give one of the option workers: ${configured.slice(0, SHOWN).join(', ')}${more}`
      }`,
    );
  }
}
