import type { RestartOptions } from './server-process.js';

/** A private server of one process on 127.0.0.1. */
export interface GuardedServer {
  /** In the form that its clients accept; the starter of the server sets it. */
  readonly url: string;
  readonly host: string;
  /** Where clients connect. */
  readonly port: number;
  /** Process id; another one after a restart. */
  readonly pid: number;
  /** The server's `log`, and its data where it keeps any. */
  readonly directory: string;
  /** SIGKILL by default, and then waits until the server is dead. `start()` brings it back. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts a killed server again, on the same ports and with what its directory holds. */
  start(): Promise<void>;
  /** Crash or shut down, and start. */
  restart(options?: RestartOptions): Promise<void>;
  /** SIGSTOP: sockets stay open, no answer comes. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Ends it for good. Not calling it is fine: the server ends with this process, however this process ends. */
  stop(): Promise<void>;
}
