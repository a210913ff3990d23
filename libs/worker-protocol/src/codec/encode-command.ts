import type { WorkerCommand } from '../commands/worker-command.js';

/** The text frame that carries `command`. */
export function encodeCommand(command: WorkerCommand): string {
  return JSON.stringify(command);
}
