import type { WorkerMessage } from '../messages/worker-message.js';

/** The text frame that carries `message`; for implementations of a worker. */
export function encodeWorkerMessage(message: WorkerMessage): string {
  return JSON.stringify(message);
}
