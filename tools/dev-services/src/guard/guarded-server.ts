import type { RestartOptions } from './server-process.js';

/** A private server of one process on 127.0.0.1. */
export interface GuardedServer {
  /** URL in the form that clients accept; the start function sets it. */
  readonly url: string;
  readonly host: string;
  /** Port for clients. */
  readonly port: number;
  /** Process id; changes with a restart. */
  readonly pid: number;
  /** The directory with the server's `log` and its data, if any. */
  readonly directory: string;
  /** SIGKILL by default; waits until the server is dead. `start()` starts it again. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts a killed server again, on the same ports and with the data in its directory. */
  start(): Promise<void>;
  /** Crashes the server or shuts it down, then starts it. */
  restart(options?: RestartOptions): Promise<void>;
  /** SIGSTOP: sockets stay open, but the server does not answer. Returns when all its threads have stopped. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Ends the server permanently. Optional: the server ends with this process, even if this process is killed. */
  stop(): Promise<void>;
}
