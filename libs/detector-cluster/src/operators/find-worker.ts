import { InvalidInputError } from '@detector-cluster/placement/internal';
import { workerIdOf } from '../shared/redact-url.js';
import type { WorkerDefinition } from '../workers/worker-definition.js';
import type { WorkerList } from '../workers/worker-list.js';

/**
 * {@link findWorker} in the list as it is now. A worker may just have been added or removed; if the list cannot be read, the last one stays
 * in effect.
 */
export async function findListedWorker(workers: WorkerList, url: string): Promise<WorkerDefinition> {
  const unread = await workers.refresh().then(
    () => null,
    (error: unknown) => error,
  );
  try {
    return findWorker(workers.current, url);
  } catch (error) {
    throw error instanceof UnknownWorkerError ? (unread ?? error) : error;
  }
}

/**
 * Finds the configured worker of a URL with or without credentials: workers are identified by the URL without them.
 * @throws {InvalidInputError} naming `url`; {@link UnknownWorkerError}
 */
export function findWorker(workers: readonly WorkerDefinition[], url: unknown): WorkerDefinition {
  if (typeof url !== 'string' || url === '')
    throw new InvalidInputError('url', 'must be the URL of a configured worker, e.g. ws://worker1:8000');
  const id = workerIdOf(url);
  const worker = workers.find((one) => one.id === id);
  if (worker !== undefined) return worker;
  throw new UnknownWorkerError(
    id,
    workers.map((one) => one.id),
  );
}

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
