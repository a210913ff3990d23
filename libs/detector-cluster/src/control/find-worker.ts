import { workerIdOf } from '../redact/redact-url.js';
import { InvalidInputError } from '../model/subscription-identifier.js';
import type { WorkerDefinition } from '../options/worker-definition.js';
import { UnknownWorkerError } from './unknown-worker.error.js';

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
