export { ConsoleElectionBackend, type ConsoleElectionOptions } from './console-election-backend.js';
export { ConsoleError } from './console-command.js';
