/**
 * Elections whose leader a person names on the terminal.
 *
 * @example
 * ```ts
 * import { ConsoleElectionBackend } from '@detector-cluster/election/console';
 *
 * const backend = new ConsoleElectionBackend();
 * ```
 * @packageDocumentation
 */
export { ConsoleElectionBackend, type ConsoleElectionOptions } from './console-election-backend.js';
export { ConsoleError } from './console-command.js';
