import type { RestartOptions } from '../guard/server-process.js';

/** A private PostgreSQL server on 127.0.0.1. Its superuser `postgres` needs no password. */
export interface PostgresService {
  /** Address of the database `postgres`, as its superuser. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly version: string;
  /** Process id of the postmaster; another one after a restart. */
  readonly pid: number;
  /** The server's directory: `data` and `log`. */
  readonly directory: string;
  /** Creates a database and returns its address. */
  createDatabase(name: string): Promise<string>;
  /** Immediate shutdown (as a crash: recovery at the next start) by default, and then waits until it is dead. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts a killed server again, on the same port, with its data. */
  start(): Promise<void>;
  /** Crash or shut down, and start on the same port, with its data. */
  restart(options?: RestartOptions): Promise<void>;
  /** SIGSTOP to all its processes: sockets stay open, no answer comes. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Ends it for good. Not calling it is fine: the server ends with this process, however this process ends. */
  stop(): Promise<void>;
}
