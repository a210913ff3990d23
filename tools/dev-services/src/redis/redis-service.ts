import type { RestartOptions } from '../guard/server-process.js';
import type { RedisGeneration } from './redis-generation.js';

/** A private Redis or Valkey server on 127.0.0.1. */
export interface RedisService {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly product: 'redis' | 'valkey';
  readonly version: string;
  readonly generation: RedisGeneration;
  /** Process id; another one after a restart. */
  readonly pid: number;
  /** The server's working directory: its data and `log`. */
  readonly directory: string;
  /** SIGKILL by default, and then waits until the server is dead. `start()` brings it back. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts a killed server again, on the same port. */
  start(): Promise<void>;
  /** Crash or shut down, and start on the same port. Data survives with `persistence` only. */
  restart(options?: RestartOptions): Promise<void>;
  /** SIGSTOP: sockets stay open, no answer comes. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Ends it for good. Not calling it is fine: the server ends with this process, however this process ends. */
  stop(): Promise<void>;
}
