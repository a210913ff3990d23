import type { RestartOptions } from '../guard/server-process.js';

/** A private PostgreSQL server on 127.0.0.1. Its superuser `postgres` needs no password. */
export interface PostgresService {
  /** Address of the database `postgres`, as its superuser. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly version: string;
  /** Process id of the postmaster; changes with a restart. */
  readonly pid: number;
  /** The server's directory: `data` and `log`. */
  readonly directory: string;
  /** Creates a database and returns its address. */
  createDatabase(name: string): Promise<string>;
  /** Immediate shutdown by default (like a crash: recovery at the next start); waits until the server is dead. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts a killed server again, on the same port, with its data. */
  start(): Promise<void>;
  /** Crashes the server or shuts it down, then starts it on the same port, with its data. */
  restart(options?: RestartOptions): Promise<void>;
  /** SIGSTOP to all its processes: sockets stay open, but the server does not answer. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Ends the server permanently. Optional: the server ends with this process, even if this process is killed. */
  stop(): Promise<void>;
}
